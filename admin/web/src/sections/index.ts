// All sections, in the order of the side list.
import { session } from '../app/api.ts';
import type { Section } from '../app/section.ts';
import type { Text } from '../i18n/index.ts';
import { institutions, links, nodes, topologies } from './network.tsx';
import { accounts, identities, origins, settings, tokens } from './access.tsx';
import { activity } from './activity.tsx';
import { cluster } from './cluster.tsx';
import { tasks } from './work.tsx';
import { dataImports, fileImports } from './imports.tsx';
import { pollEvents, sources } from './polling.tsx';
import { exportFiles } from './exports.tsx';
import { liveChanges } from './live_changes.tsx';
import { overrides } from './overrides.tsx';
import { publications } from './publications.tsx';
import { quality } from './quality.tsx';
import { receipts } from './receipts.tsx';
import { redundancy } from './redundancy.tsx';
import { rules, rulesets } from './rules.tsx';
import { views } from './views.tsx';
import { webhooks } from './webhooks.tsx';

export interface Group {
  title: Text;
  sections: Section[];
}

export const groups: Group[] = [
  { title: 'Network', sections: [institutions, nodes, links, topologies] },
  { title: 'Data in', sections: [fileImports, dataImports, sources, pollEvents] },
  { title: 'Data out', sections: [publications, exportFiles, views, receipts, webhooks, origins] },
  { title: 'Collation', sections: [quality, redundancy, rulesets, rules, overrides] },
  { title: 'This node', sections: [settings, tokens, accounts, identities, tasks, activity, liveChanges, cluster] },
];

export const network = groups[0]!.sections; // whose records are on the map

export const isShown = (section: Section) => section.view !== 'admin' || session.value?.account?.role === 'admin';

// To whoever is signed in.
export const shownGroups = (): Group[] =>
  groups.map((group) => ({ ...group, sections: group.sections.filter(isShown) }));

export const sectionOf = (key: string | undefined): Section | undefined =>
  groups.flatMap((group) => group.sections).find((section) => section.key === key);
