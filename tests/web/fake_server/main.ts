// Serves the built pages with example data: node fake_server/main.ts [PORT [SIZE]]
import { resolve } from 'node:path';
import { start } from './server.ts';

const dist = process.env.NETML_WEB_DIST ?? resolve(import.meta.dirname, '../../../admin/web/dist');
const { url } = await start(dist, Number(process.argv[2] ?? 8090), Number(process.argv[3] ?? 0));
process.stdout.write(`${url}/ (admin, editor or viewer; password: correct horse battery)\n`);
