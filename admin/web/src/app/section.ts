// What a section of the site is: how its list looks, which fields its form has, who may do what.
// list.tsx and form.tsx show any section from this; a section of its own kind brings its own page.
import type { ComponentChild, ComponentType } from 'preact';
import type { Role } from '../../generated/api.ts';
import type { Text } from '../i18n/index.ts';
import type { IconName } from '../ui/icons.tsx';

export type Row = Record<string, unknown> & { number: number };
export interface Choice {
  value: string;
  label: Text;
}

export interface Column {
  name: string;
  label: Text;
  sort?: boolean;
  narrow?: boolean;
  more?: boolean; // shown where the reader chooses it
  possible?: () => boolean; // whether there is anything to show in it
  cell?: (row: Row) => ComponentChild;
  csv?: (row: Row) => string; // where the cell is no text, and the value behind it none either
}

export interface Filter {
  name: string;
  label: Text;
  choices?: Choice[]; // a choice list; otherwise one reference to find, or free text
  of?: 'topologies' | 'institutions' | 'nodes';
}

export type FieldKind =
  | 'text' | 'lines' | 'json' | 'decimal' | 'whole' | 'switch' | 'choice' | 'entry' | 'password' | 'time' | 'one'
  | 'many' | 'properties' | 'fixed';

export interface Field {
  name: string;
  label: Text;
  kind: FieldKind;
  required?: boolean;
  longest?: number;
  help?: Text;
  choices?: Choice[];
  of?: 'topologies' | 'institutions' | 'nodes';
  entry?: { from: string; none: Text }; // the collection that it is one of, and what it means that none is chosen
  range?: [number, number];
  start?: unknown; // the value of a new record
  only?: 'add' | 'change';
  group?: Text; // fields of one group share a line
}

// What is asked before something is done that has consequences.
export interface Question {
  title: string;
  action: string;
  text: ComponentChild;
}

export interface RowAction {
  label: Text;
  icon: IconName;
  role?: Role;
  shown?: (row: Row) => boolean;
  ask?: (row: Row) => Question;
  href?: (row: Row) => string | null; // a download
  run?: (row: Row) => Promise<string | null>; // answers what was done
}

export interface BulkAction {
  label: Text;
  role?: Role;
  run: (rows: Row[]) => Promise<string | null>;
}

export interface PageAction {
  label: Text;
  icon: IconName;
  role?: Role;
  run: () => Promise<string | null>;
}

export interface Section {
  key: string; // its place in the address: /admin/KEY/
  title: Text;
  longTitle?: Text; // below the title, so that people find what they know by it
  singular: Text;
  icon: IconName;
  api?: string; // the collection, where it differs from the key
  view?: Role; // who sees it; everybody unless said
  runsRules?: boolean; // a change makes rules run on the map: previewed before, reported after
  list?: {
    columns: Column[];
    filters?: Filter[];
    search?: boolean;
    sort?: string;
    select?: boolean;
    rowActions?: RowAction[];
    bulkActions?: BulkAction[];
    bulkEdit?: boolean; // several are changed alike by POST COLLECTION/edit
    pageActions?: PageAction[];
    above?: ComponentType;
    live?: ('change' | 'poll' | 'progress')[]; // loads the list again at these events
  };
  form?: {
    fields: Field[];
    add?: Role;
    change?: Role;
    remove?: Role;
    history?: boolean;
    keeps?: boolean; // an edit may be kept whatever sources deliver
    deletesMore?: boolean; // a deletion deletes and changes other records, too, and is previewed
    check?: (values: Record<string, unknown>) => Partial<Record<string, Text>>;
    saved?: (answer: Row) => void;
    extra?: ComponentType<{ row: Row }>;
    below?: ComponentType<{ row: Row | null; values: Record<string, unknown> }>; // what follows from the values, as they are typed
  };
  page?: ComponentType<{ rest: string[] }>; // instead of list and form
}

export const collection = (section: Section) => section.api ?? section.key;
export const nameOf = (row: Row) => String(row.name ?? row.eppn ?? row.key ?? row.number);
