// Serves the example with the program, until it is interrupted: npm run serve
import { exampleData, password, serve } from './node.ts';

const node = await serve(exampleData(), '--poll-allow', '127.0.0.0/8');
process.stdout.write(`${node.url}/ (admin, editor or viewer; password: ${password})\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void node.close().then(() => process.exit(0)));
