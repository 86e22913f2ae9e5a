// What is said of a file that is imported: where it goes, its name, format and owner, and what its
// columns or records are.
import type { Signal } from '@preact/signals';
import type { FormatList, Reference } from '../../generated/api.ts';
import { t, type Text } from '../i18n/index.ts';
import { SearchBox } from '../ui/search_box.tsx';

const bytesMax = 20 * 1024 * 1024;

// A known network stays where it is, unless somebody wants it elsewhere.
// An update sets values of elements that a topology has.
type Place = 'keep' | 'top' | 'below' | 'update';
export interface Target {
  place: Place;
  parent: Reference | null; // or what is updated
  topologyName: string;
  format: string; // empty: as the file says
  owner: string; // of what the file names no owner of
  map: string; // of tables: HEADING=FIELD, one a line
  mapping: string; // of a NetBox: what becomes what
}

export const nowhere: Target = { place: 'keep', parent: null, topologyName: '', format: '', owner: '', map: '', mapping: '' };
const netbox = 'netbox';
const isTable = /\.(csv|xlsx)$/i;

export function fileProblem(file: { name: string; size: number }, { topologyName, place, parent, format }: Target): Text | null {
  if (file.size > bytesMax) return 'The file is larger than 20 MiB.';
  if (place === 'update' && !parent) return 'Choose the topology that is updated.';
  if (place === 'update' && !format && !isTable.test(file.name)) return 'Values are taken from a CSV file or a sheet.';
  if (place !== 'update' && /\.xlsx$/i.test(file.name) && !topologyName.trim()) return 'A spreadsheet needs a topology name.';
  if (place === 'below' && !parent) return 'Choose the topology that it goes below.';
  return null;
}

export function formOf(file: File, target: Target): FormData {
  const form = new FormData();
  const updates = target.place === 'update';
  if (target.format) form.set('format', target.format); // before the file
  form.set('file', file);
  if (target.map.trim()) form.set('map', target.map);
  if (target.format === netbox && target.mapping.trim()) form.set('mapping', target.mapping.trim());
  if (updates && target.parent) form.set('update', String(target.parent.number));
  form.set('plan', 'true');
  if (updates) return form;
  if (target.place === 'keep') form.set('parent', 'keep');
  if (target.place === 'below' && target.parent) form.set('parent', String(target.parent.number));
  if (target.owner.trim()) form.set('owner', target.owner.trim());
  if (target.topologyName.trim()) form.set('topology_name', target.topologyName.trim());
  return form;
}

const places: { place: Place; text: Text }[] = [
  { place: 'keep', text: 'Where the network is now; a new one below the main topology' },
  { place: 'top', text: 'At the top level, beside the other maps' },
  { place: 'below', text: 'Below another topology' },
  { place: 'update', text: 'Nowhere new: only values of elements that are there' },
];

export function TargetFields({ target, formats }: { target: Signal<Target>; formats: FormatList['items'] }) {
  const updates = target.value.place === 'update';
  return (
    <div class="fields">
      <div class="field">
        <label for="place">{t('Parent topology')}</label>
        <div class="control">
          <select id="place" value={target.value.place}
            onChange={(event) => { target.value = { ...target.value, place: event.currentTarget.value as Place }; }}>
            {places.map(({ place, text }) => <option key={place} value={place}>{t(text)}</option>)}
          </select>
          {(target.value.place === 'below' || updates) && (
            <SearchBox id="parent" of="topologies" label={t(updates ? 'Topology' : 'Below')}
              chosen={target.value.parent ? [target.value.parent] : []}
              onChange={(chosen) => { target.value = { ...target.value, parent: chosen[0] ?? null }; }} />
          )}
          {updates && <p class="help">{t('A CSV file or a sheet with a column identifier: an empty cell keeps a value, - deletes it, and no row adds or deletes an element.')}</p>}
        </div>
      </div>
      {!updates && (
        <TextField id="topology-name" name="topologyName" label="Topology name" longest={128} target={target}
          help="Renames the root topology of the file; needed for spreadsheets." />
      )}
      <FormatFields target={target} formats={formats} />
      {!updates && (
        <TextField id="file-owner" name="owner" label="Owner" target={target}
          help="An institution, by name or ID, that owns what the file names no owner of." />
      )}
    </div>
  );
}

interface TextFieldProps {
  id: string;
  label: Text;
  help: Text;
  name: 'topologyName' | 'owner' | 'map' | 'mapping';
  lines?: boolean;
  longest?: number;
  example?: string;
  target: Signal<Target>;
}

function TextField({ id, label, help, name, lines, longest, example, target }: TextFieldProps) {
  const value = target.value[name];
  const onInput = (event: { currentTarget: { value: string } }) => { target.value = { ...target.value, [name]: event.currentTarget.value }; };
  const common = { id, value, onInput, placeholder: example, maxLength: longest, 'aria-describedby': `${id}-about` };
  return (
    <div class="field">
      <label for={id}>{t(label)}</label>
      <div class="control">
        {lines ? <textarea {...common} rows={2} /> : <input {...common} type="text" />}
        <p id={`${id}-about`} class="help">{t(help)}</p>
      </div>
    </div>
  );
}

function FormatFields({ target, formats }: { target: Signal<Target>; formats: FormatList['items'] }) {
  return (
    <>
      <div class="field">
        <label for="file-format">{t('Format')}</label>
        <div class="control">
          <select id="file-format" value={target.value.format}
            onChange={(event) => { target.value = { ...target.value, format: event.currentTarget.value }; }}>
            <option value="">{t('As the file itself tells')}</option>
            {formats.map(({ name, description }) => <option key={name} value={name}>{name} – {description}</option>)}
          </select>
        </div>
      </div>
      <TextField id="file-map" name="map" label="What columns are" lines example="Node A=link end" target={target}
        help="Of tables whose headings are not known: HEADING=FIELD, one a line." />
      {target.value.format === netbox && (
        <TextField id="file-mapping" name="mapping" label="Mapping" example="nodes=location,owner=provider,topologies=region" target={target}
          help="What of the NetBox becomes what. Left empty: sites are nodes, tenants owners, in one topology." />
      )}
    </>
  );
}
