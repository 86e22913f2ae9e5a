// What the pages compute without a browser: addresses, forms, languages, rules.
import { describe, expect, it } from 'vitest';
import { columnsOfJson } from '../../../admin/web/src/map/columns.ts';
import { filterOf, searchOf, wantedBy } from '../../../admin/web/src/map/address.ts';
import { find } from '../../../admin/web/src/map/search_panel.tsx';
import { rensOf } from '../../../admin/web/src/map/owners_panel.tsx';
import { bodyOf, problemsOf, valuesOf } from '../../../admin/web/src/ui/form_values.ts';
import { deletedText } from '../../../admin/web/src/ui/deleted_text.ts';
import { affected, whatText } from '../../../admin/web/src/sections/transactions.ts';
import { keyStates, withType } from '../../../admin/web/src/sections/rule_data.ts';
import { savedText } from '../../../admin/web/src/sections/what_ran.tsx';
import { relative } from '../../../admin/web/src/i18n/index.ts';
import { preferredLanguage } from '../../../admin/web/src/i18n/load.ts';
import type { Field, Section } from '../../../admin/web/src/app/section.ts';
import { columns } from './example.ts';

describe('the address of the map', () => {
  it('brings back what was shown', () => {
    const filter = { nodeTags: new Set(['SREN']), linkTags: new Set(['NREN']), topology: 2, groups: new Set(['3', '-']) };
    const search = searchOf({ selection: { kind: 'links', number: 20 }, filter, colour: 'owner', at: '7', since: 5, failed: { nodes: [3], links: [4, 5] },
      routes: [[20, 21], [22]], moved: new Map([[10, [0.5, 0.25]]]), view: '1.5,2.5,6' });
    expect(search).toBe('?link=20&node-tags=SREN&link-tags=NREN&topology=2&colour=owner&only=3,-&at=7&since=5&failed-nodes=3&failed-links=4,5&routes=20.21,22&layout=schematic&moved=10.50000.25000&view=1.5,2.5,6');
    const wanted = wantedBy(search);
    expect(wanted.failed).toEqual({ nodes: [3], links: [4, 5] });
    expect(wanted.routes).toEqual([[20, 21], [22]]);
    expect([wanted.isSchematic, [...wanted.moved]]).toEqual([true, [[10, [0.5, 0.25]]]]);
    expect(wanted.selection).toEqual({ kind: 'links', number: 20 });
    expect(wanted.view).toEqual({ latitude: 1.5, longitude: 2.5, zoom: 6 });
    expect(wanted.colour).toBe('owner');
    expect([wanted.at, wanted.since]).toEqual(['7', 5]);
    expect(filterOf(columns(), wanted)).toEqual(filter);
  });

  it('takes no nonsense', () => {
    const wanted = wantedBy('?node=-4&failed-nodes=x,-1&view=a,b,c&topology=99&node-tags=unknown&colour=mood&routes=a,.,-3&layout=round&moved=1.2,9.100001.0,x.1.1');
    expect([wanted.selection, wanted.view, wanted.colour]).toEqual([null, null, null]);
    expect(wanted.failed).toEqual({ nodes: [], links: [] });
    expect([wanted.routes, wanted.isSchematic, wanted.moved.size]).toEqual([[], false, 0]);
    expect(filterOf(columns(), wanted)).toEqual({ nodeTags: new Set(), linkTags: new Set(), topology: null, groups: new Set() });
  });
});

describe('the search of the map', () => {
  it('puts names that begin with the words first', () => {
    expect(find(columnsOfJson(columns()), 'bea').map((found) => found.name)).toEqual(['Bea', 'Bea – Ada', 'Ada – Bea']);
  });

  it('finds nothing for nothing', () => {
    expect(find(columnsOfJson(columns()), '  ')).toEqual([]);
  });
});

it('lists networks in the group of their first tag', () => {
  expect(rensOf(columns())).toEqual([{ tag: 'NREN', places: [0] }]);
});

describe('forms', () => {
  const fields: Field[] = [
    { name: 'name', label: 'Name', kind: 'text', required: true },
    { name: 'latitude', label: 'Latitude', kind: 'decimal', range: [-90, 90] },
    { name: 'password', label: 'Password', kind: 'password' },
    { name: 'properties', label: 'Properties', kind: 'properties' },
    { name: 'state', label: 'State', kind: 'fixed' },
  ];

  it('find what is missing, no number, or out of range', () => {
    const values = { ...valuesOf(fields, null), latitude: '91' };
    expect(problemsOf(fields, values, true)).toEqual({ name: 'This field is required.', latitude: 'This number is out of range.' });
    expect(problemsOf(fields, { ...values, name: 'x', latitude: '1e1' }, true)).toEqual({ latitude: 'Enter a number.' });
  });

  it('send no password that was not typed, no fixed field and no empty property', () => {
    const values = { name: 'x', latitude: ' 1.50 ', password: '', properties: [{ name: '', value: '' }, { name: 'tag', value: 'a' }], state: 's' };
    expect(bodyOf(fields, values, null)).toEqual({ name: 'x', latitude: '1.50', properties: [{ name: 'tag', value: 'a' }] });
  });

  it('show JSON as text, send it as JSON, and refuse what is no object', () => {
    const json: Field[] = [{ name: 'policy', label: 'Policy as JSON', kind: 'json', required: true }];
    const values = valuesOf(json, { number: 1, policy: { routes: 2 } });
    expect(values).toEqual({ policy: '{\n  "routes": 2\n}' });
    expect(bodyOf(json, values, null)).toEqual({ policy: { routes: 2 } });
    for (const wrong of ['{', '[1]', '"a"', 'null']) expect(problemsOf(json, { policy: wrong }, true)).toEqual({ policy: 'Enter a JSON object.' });
  });
});

describe('a transaction in words', () => {
  const transaction = {
    lsn: 7, number: 7, committed: true, cause: 'edit', source: '192.0.2.1', undoable: true, created: 0, updated: 1, deleted: 0, examples: [],
  };

  it('names what it changed when that is little', () => {
    const examples = [{ kind: 'Node', id: 'urn:a', name: 'Ada', action: 'updated' as const }];
    expect(whatText({ ...transaction, examples })).toBe('Changed: Node Ada');
  });

  it('counts what it changed when that is much', () => {
    expect(whatText({ ...transaction, source: 'map.xml', created: 1200, deleted: 3 })).toBe('map.xml: 1,200 added, 1 changed, 3 removed');
  });

  it('has something to say of one that changed nothing, and of one that was aborted', () => {
    expect(whatText({ ...transaction, updated: 0, source: '' })).toBe('–');
    expect(whatText({ lsn: 8, number: 8, committed: false, undoable: false, reason: 'held', examples: [] })).toBe('Aborted: held');
    expect(affected({})).toBe('Nothing was changed.');
  });
});

describe('rules', () => {
  const type = { type: 'T', required: ['ID'], optional: ['Topology ID'] };

  it('tell which keys are there, missing and unknown', () => {
    const block = { type: 'T', infos: [{ key: 'ID', value: '' }, { key: 'Topology ID', value: 'u' }, { key: 'Odd', value: 'v' }] };
    expect(keyStates(block, type)).toEqual([{ key: 'ID', state: 'missing' }, { key: 'Topology ID', state: 'given' }, { key: 'Odd', state: 'unknown' }]);
  });

  it('keep typed values when the type changes', () => {
    expect(withType({ type: '', infos: [{ key: 'ID', value: 'u' }] }, type)).toEqual({ type: 'T', infos: [{ key: 'ID', value: 'u' }] });
    expect(withType({ type: '', infos: [] }, type).infos).toEqual([{ key: 'ID', value: '' }]);
  });
});

describe('the notice about rules', () => {
  const ran = { created: 0, updated: 0, deleted: 0, rule_count: 3 };

  it('says how many ran and what they changed', () => {
    expect(savedText('A', { ...ran, updated: 178, deleted: 18 })).toBe('Saved: A. 3 rules ran: 178 changed, 18 removed.');
    expect(savedText('A', { ...ran, rule_count: 1 })).toBe('Saved: A. 1 rule ran and changed nothing on the map.');
  });

  it('says nothing of rules where none run', () => {
    expect(savedText('A')).toBe('Saved: A');
  });
});

describe('the notice about a deletion', () => {
  const nodes = { key: 'nodes', title: 'Nodes', singular: 'Node', icon: 'node' } as unknown as Section;
  const none = { topologies: 0, institutions: 0, nodes: 0, links: 0 };
  const named = (...names: string[]) => names.map((name, number) => ({ number, name }));

  it('names the only record, and counts what was deleted with it', () => {
    expect(deletedText(nodes, named('Trento'), { deleted: { ...none, links: 1 }, changes: none })).toBe('Deleted: Trento and 1 link');
  });

  it('counts several together with what was deleted with them', () => {
    expect(deletedText(nodes, named('A', 'B', 'C'), { deleted: { ...none, nodes: 1, links: 7 }, changes: none })).toBe('Deleted: 4 nodes and 7 links');
  });

  it('counts what changed besides', () => {
    expect(deletedText(nodes, named('A'), { deleted: none, changes: { ...none, links: 59 } })).toBe('Deleted: A. 59 other records changed.');
  });

  it('counts records that are not of the map', () => {
    expect(deletedText({ ...nodes, key: 'tokens' }, named('A', 'B'))).toBe('2 records deleted');
  });
});

describe('the language', () => {
  it('is the kept one, else the first known of the browser, else English', () => {
    expect(preferredLanguage('a=b; netml_language=pt', ['fr'])).toBe('pt');
    expect(preferredLanguage('netml_language=xx', ['de-CH', 'fr-CA'])).toBe('fr');
    expect(preferredLanguage('', ['de'])).toBe('en');
  });
});

describe('durations', () => {
  it('are as people say them', () => {
    const from = (seconds: number) => relative(new Date(Date.now() + seconds * 1000).toISOString());
    expect([from(-3 * 86_400), from(-86_400), from(2 * 3600 + 60), from(-90 * 60)]).toEqual(['3 days ago', 'yesterday', 'in 2 hours', '1 hour ago']);
  });
});
