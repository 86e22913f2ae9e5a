// The options of G.map(), which existing pages use, in the words of our own map.
import type { ChartOptions } from '../map/chart.ts';
import type { MapOptions } from '../map/model.ts';
import { shippedColours, type ColourLabels } from '../map/styles.ts';

interface Look {
  color?: string;
  fillColor?: string;
  radius?: number;
  weight?: number;
}

export interface EmbeddingOptions {
  selector?: string;
  endpointURL?: string;
  leafletTileURL?: string;
  tileLayerOptions?: Record<string, unknown>;
  mapOptions?: Record<string, unknown>;
  center?: { lat: number; lng: number } | 'navigator' | null;
  zoom?: number | null;
  nodeStyle?: Look;
  linkStyle?: Look;
  nodeColorLabels?: ColourLabels;
  linkColorLabels?: ColourLabels;
  nodeHighlightStyle?: Look;
  linkHighlightStyle?: Look;
  nodeSelectedStyle?: Look;
  linkSelectedStyle?: Look;
  filtering?: { allowedNodes?: string[] | null; allowedLinks?: string[] | null };
  showLogo?: boolean;
}

const colourOf = (look: Look | undefined, otherwise: string) => look?.fillColor ?? look?.color ?? otherwise;

export function modelOptions(options: EmbeddingOptions): MapOptions {
  const endpoint = options.endpointURL ?? '/';
  return {
    endpoint: endpoint.endsWith('/') ? endpoint : `${endpoint}/`,
    colours: {
      nodes: options.nodeColorLabels ?? shippedColours.nodes,
      links: options.linkColorLabels ?? shippedColours.links,
      plainNode: colourOf(options.nodeStyle, shippedColours.plainNode),
      plainLink: colourOf(options.linkStyle, shippedColours.plainLink),
    },
    allowedNodeTags: options.filtering?.allowedNodes ?? null,
    allowedLinkTags: options.filtering?.allowedLinks ?? null,
  };
}

export function chartOptions(options: EmbeddingOptions, loadWorld: ChartOptions['loadWorld']): ChartOptions {
  const { center, zoom, leafletTileURL: url, tileLayerOptions, mapOptions } = options;
  const made: ChartOptions = {
    center: center && center !== 'navigator' ? [center.lat, center.lng] : null,
    zoom: zoom ?? null,
    tiles: url ? { url, options: tileLayerOptions ?? {} } : null,
    loadWorld,
    highlight: {
      node: { colour: colourOf(options.nodeHighlightStyle, '#d97b41'), size: options.nodeHighlightStyle?.radius ?? 10 },
      link: { colour: colourOf(options.linkHighlightStyle, '#d97b41'), size: options.linkHighlightStyle?.weight ?? 4 },
    },
    selected: {
      node: { colour: colourOf(options.nodeSelectedStyle, '#d94141'), size: options.nodeSelectedStyle?.radius ?? 8 },
      link: { colour: colourOf(options.linkSelectedStyle, '#d94141'), size: options.linkSelectedStyle?.weight ?? 3 },
    },
  };
  return mapOptions ? { ...made, mapOptions } : made;
}
