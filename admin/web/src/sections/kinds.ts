// What the server calls kinds of elements and entries, as people read them.
import { t, type Text } from '../i18n/index.ts';

const kinds: Record<string, { text: Text; collection?: string }> = {
  Topology: { text: 'Topology', collection: 'topologies' },
  Institution: { text: 'Institution', collection: 'institutions' },
  Node: { text: 'Node', collection: 'nodes' },
  Link: { text: 'Link', collection: 'links' },
  account: { text: 'Account' },
  'allowed origin': { text: 'Allowed Origin' },
  identity: { text: 'Federated identity' },
  'import record': { text: 'Data import' },
  override: { text: 'Override' },
  'published item': { text: 'Snapshot' },
  'peer state': { text: 'State of a source' },
  plan: { text: 'Plan' },
  'poll batch': { text: 'Poll' },
  'poll record': { text: 'Poll of a source' },
  'redundancy policy': { text: 'Redundancy policy' },
  rule: { text: 'Rule' },
  ruleset: { text: 'Ruleset' },
  session: { text: 'Session' },
  setting: { text: 'Setting' },
  source: { text: 'Polling source' },
  token: { text: 'Token' },
  view: { text: 'View' },
  webhook: { text: 'Webhook' },
};

export const kindText = (kind: string): string => (kinds[kind] ? t(kinds[kind].text) : kind);

// The section of its elements: "nodes".
export const collectionOfKind = (kind: string): string => kinds[kind]?.collection ?? '';
