// What the stand-in for a node holds in memory, and its small helpers.
import { EventEmitter } from 'node:events';
import { exampleRecords, largeRecords, years, type Kind, type Rec } from './example.ts';

export interface Fields { [name: string]: unknown }
export type Item = Fields & { number: number };
export interface Transaction {
  lsn: number; time: string; actor: string; cause: string; source: string; text: string; record?: number;
  created: number; updated: number; deleted: number;
  fields: { name: string; old: string | null; new: string | null }[];
}
export interface Session { id: string; csrf: string; account: Item; confirmedUntil: number; number: number }

export class ApiFailure extends Error {
  readonly status: number;
  readonly body: Fields;

  constructor(status: number, code: string, message: string, more: Fields = {}) {
    super(message);
    this.status = status;
    this.body = { error: { code, message, ...more } };
  }
}

export class State {
  records: Rec[];
  log: Transaction[] = [];
  sessions = new Map<string, Session>();
  events = new EventEmitter();
  failures = 0;
  firstCode: string | null = null;
  mapEnabled = true;
  tables: Record<string, Item[]>;
  settings: Item[];
  plans: Item[] = [];
  lastNumber = 10000;

  constructor(size = 0) {
    this.records = size > 0 ? largeRecords(size) : exampleRecords();
    this.events.setMaxListeners(100);
    this.log.push({ lsn: 1, time: '1999-01-01T00:00:00Z', actor: 'system', cause: 'start', source: 'New data directory', text: 'created', created: 0, updated: 0, deleted: 0, fields: [] });
    years.forEach((year, index) => this.log.push({ lsn: index + 2, time: `${year}-06-01T08:00:00Z`, actor: 'import',
      cause: 'import', source: `example_${year}.xml`, text: 'created', updated: 0, fields: [],
      created: this.records.filter((rec) => rec.born === index + 2).length, deleted: this.records.filter((rec) => rec.died === index + 2).length }));
    this.tables = tables();
    this.settings = settings();
  }

  get lsn(): number {
    return this.log.at(-1)!.lsn;
  }

  next(): number {
    this.lastNumber += 1;
    return this.lastNumber;
  }

  commit(actor: string, cause: string, source: string, record?: Rec, fields: Transaction['fields'] = []): number {
    const lsn = this.lsn + 1;
    const text = cause === 'delete' ? 'deleted' : record?.born === lsn ? 'created' : 'updated';
    const count = (action: string) => (record && text === action ? 1 : 0);
    const entry: Transaction = { lsn, time: new Date().toISOString(), actor, cause, source, text, fields,
      created: count('created'), updated: count('updated'), deleted: count('deleted') };
    if (record) entry.record = record.number;
    this.log.push(entry);
    this.events.emit('change', { lsn });
    return lsn;
  }

  alive(kind: Kind, at = this.lsn): Rec[] {
    return this.records.filter((rec) => rec.kind === kind && rec.born <= at && (rec.died === null || rec.died > at));
  }

  find(kind: Kind, number: number): Rec {
    const found = this.alive(kind).find((rec) => rec.number === number);
    if (!found) throw new ApiFailure(404, 'not-found', 'There is no such record.');
    return found;
  }

  name(number: number): string {
    return this.records.find((rec) => rec.number === number)?.name ?? `#${number}`;
  }
}

const ruleTypes = {
  criteria: [
    { type: 'Match Nodes by ID', required: ['ID'], optional: [] },
    { type: 'Match Links by Topology', required: ['Topology ID'], optional: [] },
  ],
  actions: [
    { type: 'Delete Node', required: [], optional: [] },
    { type: 'Replace with Node', required: ['ID'], optional: ['Topology ID'] },
  ],
};
export { ruleTypes };

function tables(): Record<string, Item[]> {
  return {
    accounts: [
      { number: 1, name: 'admin', email: 'admin@example.org', role: 'admin', active: true, last_sign_in: null, password: 'correct horse battery' },
      { number: 2, name: 'editor', email: 'editor@example.org', role: 'editor', active: true, last_sign_in: null, password: 'correct horse battery' },
      { number: 3, name: 'viewer', email: 'viewer@example.org', role: 'viewer', active: true, last_sign_in: null, password: 'correct horse battery' },
    ],
    tokens: [
      { number: 11, name: 'Peer node', type: 'polling', created: '2024-02-03T10:00:00Z', value: 'q8Xw2LrT0example0polling0token001' },
      { number: 12, name: 'Upload script', type: 'import', created: '2024-03-04T11:00:00Z', value: 'b7Qm5NsV0example0import0token0002' },
    ],
    origins: [{ number: 21, name: 'Public site', origin: 'https://www.example.org', active: true }],
    publications: [{ number: 31, name: 'First edition', description: 'As of the meeting', version: '2024-05-06T07:08:09Z', time: '2024-05-06T07:08:09Z', state: 'success' }],
    sources: [
      { number: 41, name: 'Neighbour', protocol: 'https', hostname: 'map.neighbour.example', port: 443, path: '/grenml_export/', active: true, url: 'https://map.neighbour.example:443/grenml_export/', last_state: 'complete' },
      { number: 42, name: 'Far away', protocol: 'https', hostname: 'far.example', port: 443, path: '/grenml_export/', active: false, url: 'https://far.example:443/grenml_export/', last_state: 'aborted' },
    ],
    polls: [{ number: 51, time: '2024-06-01T04:00:00Z', scheduled: true, complete: true, duration: 3.2, records: [
      { source: 'Neighbour', state: 'complete', message: 'Connected', poll_start: '2024-06-01T04:00:01Z', poll_seconds: 1.1, import_start: '2024-06-01T04:00:02Z', import_seconds: 2.1, import: 61 }] }],
    imports: [{ number: 61, time: '2024-06-01T04:00:02Z', name: 'grenml_export', source: 'poll', sender: 'Neighbour', state: 'complete', message: '1: Import complete', parent: null, topology: 'Example Research Network', file_hash: '9f86d081884c7d659a2feaa0c55ad015', file_bytes: 4711, counts: { topologies: { parsed: 1, imported: 1 }, institutions: { parsed: 3, imported: 3 }, nodes: { parsed: 9, imported: 9 }, links: { parsed: 8, imported: 8 } } }],
    rulesets: [{ number: 71, name: 'Decisions', enabled: true, priority: -1, healthy: true, rules: [
      { number: 72, name: 'Roma is one node', enabled: true, priority: 10, healthy: true, problem: null,
        criteria: [{ type: 'Match Nodes by ID', infos: [{ key: 'ID', value: 'urn:example:node:roma' }] }],
        actions: [{ type: 'Replace with Node', infos: [{ key: 'ID', value: 'urn:example:node:roma' }] }] }] }],
  };
}

function settings(): Item[] {
  const list: [key: string, name: string, description: string, value: string, kind: string, choices: string[]][] = [
    ['NETML_POLLING_ENABLED', 'NetML Polling Enabled', 'Whether polling may be triggered.', 'True', 'switch', ['True', 'False']],
    ['NETML_POLLING_INTERVAL', 'NetML Polling Interval', 'When sources are polled, as a crontab line.', 'R */4 * * *', 'text', []],
    ['NETML_POLLING_DATA_SUPPLY_TYPE', 'NetML Polling Data Supply Type', 'What exports give: the live map or the newest published one.', 'Live', 'choice', ['Live', 'Published']],
    ['GREN_MAP_VISUALIZATION_ENABLED', 'GREN Map Visualization Enabled', 'Whether the map is shown.', 'True', 'switch', ['True', 'False']],
    ['DELETION_BRAKE_COUNT', 'Deletion Brake Count', 'An import that would delete more elements is held.', '0', 'number', []],
  ];
  return list.map(([key, name, description, value, kind, choices], index) =>
    ({ number: index + 1, key, name, description, value, default: value, kind, choices }));
}
