// Serves the example with the program, until it is interrupted: npm run serve
import { exampleData, password, serve } from './node.ts';

const address = '127.0.0.1:8080'; // where `npm run dev` of the pages looks for data
const node = await serve(exampleData(), '--listen', address, '--poll-allow', '127.0.0.0/8');
process.stdout.write(`http://${address}/ (admin, editor or viewer; password: ${password})\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void node.close().then(() => process.exit(0)));
