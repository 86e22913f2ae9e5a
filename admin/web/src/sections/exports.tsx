// A file of the map or of one topology, in any format that is written: what it would lack is shown
// before it is downloaded.
import { useSignal } from '@preact/signals';
import type { FileFormat, FormatList, Reference } from '../../generated/api.ts';
import { apiBase, get, query } from '../app/api.ts';
import { useLoaded, Waiting } from '../app/loaded.tsx';
import type { Section } from '../app/section.ts';
import { t } from '../i18n/index.ts';
import { Heading } from '../ui/heading.tsx';
import { Icon } from '../ui/icons.tsx';
import { LossesCard } from '../ui/losses.tsx';
import { SearchBox } from '../ui/search_box.tsx';

function ExportPage() {
  const { value, problem } = useLoaded('formats', () => get<FormatList>('formats'));
  return (
    <>
      <Heading title={t('Export a file')} icon="download" />
      {value ? <ExportForm formats={value.items.filter(({ written }) => written)} /> : <Waiting problem={problem} />}
    </>
  );
}

function ExportForm({ formats }: { formats: FileFormat[] }) {
  const name = useSignal(formats[0]?.name ?? '');
  const topology = useSignal<Reference | null>(null);
  const columns = useSignal('');
  const format = formats.find((each) => each.name === name.value);
  const isTable = name.value === 'csv';
  const only = isTable ? columns.value.trim() : '';
  const asked = query({ format: name.value, topology: topology.value ? `#${topology.value.number}` : null, columns: only || null });
  const lacksTopology = !topology.value && !(format?.holds_topologies ?? true);
  return (
    <>
      <div class="record">
        <div class="fields">
          <div class="field">
            <label for="format">{t('Format')}</label>
            <div class="control">
              <select id="format" value={name.value} onChange={(event) => { name.value = event.currentTarget.value; }}>
                {formats.map((each) => <option key={each.name} value={each.name}>{each.name} – {each.description}</option>)}
              </select>
            </div>
          </div>
          <div class="field">
            <label for="export-topology">{t('Topology')}</label>
            <div class="control">
              <SearchBox id="export-topology" of="topologies" label={t('Topology')} chosen={topology.value ? [topology.value] : []}
                describedBy="export-topology-help" onChange={(chosen) => { topology.value = chosen[0] ?? null; }} />
              <p id="export-topology-help" class="help">{t('Left empty: the main topology with all below it.')}</p>
            </div>
          </div>
          {isTable && (
            <div class="field">
              <label for="export-columns">{t('Columns')}</label>
              <div class="control">
                <input id="export-columns" type="text" value={columns.value} placeholder="latitude, longitude" aria-describedby="export-columns-help"
                  onInput={(event) => { columns.value = event.currentTarget.value; }} />
                <p id="export-columns-help" class="help">{t('To be filled in and sent back as an import of values: these columns alone, with commas between. Left empty: all.')}</p>
              </div>
            </div>
          )}
        </div>
        {lacksTopology
          ? <p class="error" role="alert">{t('A file of this format holds one topology: choose it.')}</p>
          : (
            <div class="buttons">
              <a class="button primary" href={`${apiBase}export${asked}`} download={fileName(format, topology.value)}>
                <Icon name="download" />{t('Download')}
              </a>
            </div>
          )}
      </div>
      {!lacksTopology && !only && <LossesCard at={`export/losses${asked}`} all="The file holds all that the map has." />}
    </>
  );
}

const fileName = (format: FileFormat | undefined, topology: Reference | null): string =>
  `${(topology?.name ?? 'map').replace(/[^\p{L}\p{N}]+/gu, '_')}${format?.endings[0] ?? `.${format?.name}.json`}`;

export const exportFiles: Section = {
  key: 'exports', title: 'Export a file', singular: 'Export a file', icon: 'download', page: ExportPage,
};
