// Why a poll failed, as people read it (docs/polling.md, "Records").
import { t, type Text } from '../i18n/index.ts';

const reasons: Record<string, Text> = {
  name: 'Host unknown', connection: 'No connection', time_out: 'Time-out', address: 'Address not allowed',
  certificate: 'Certificate refused', tls: 'No TLS', denied: 'Access denied', not_found: 'Not found', redirect: 'Redirect',
  no_root_topology: 'Peer cannot export', no_root_owner: 'Peer cannot export', no_topology_owner: 'Peer cannot export',
  peer_error: 'Error of the peer', unexpected_answer: 'Unexpected answer', encoding: 'Unexpected answer', too_large: 'Too large',
  incomplete: 'Broken off', import: 'File refused', held: 'Held', local: 'Error of this node', interrupted: 'Interrupted',
};

export const reasonText = (reason: string): string => (reasons[reason] ? t(reasons[reason]) : reason);
