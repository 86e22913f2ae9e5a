// At the lower edge of the map: where the pointer is, and who made the base map.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type L from 'leaflet';
import { attribution, type Chart } from './chart.ts';

export function Foot({ chart }: { chart: Chart }) {
  const place = useSignal('');
  useEffect(() => {
    const show = ({ latlng }: L.LeafletMouseEvent) => { place.value = placeText(latlng.lat, latlng.lng); };
    const hide = () => { place.value = ''; };
    chart.map.on('mousemove', show).on('mouseout', hide);
    return () => { chart.map.off('mousemove', show).off('mouseout', hide); };
  }, []);
  return (
    <p class="map-foot">
      {chart.hasPicture && <span>{attribution}</span>}
      <span class="place">{place.value}</span>
    </p>
  );
}

// Degrees as decimals with the letters of the compass, which all four languages know.
export function placeText(latitude: number, longitude: number): string {
  const around = ((((longitude + 180) % 360) + 360) % 360) - 180;
  const north = `${Math.abs(latitude).toFixed(4)}° ${latitude < 0 ? 'S' : 'N'}`;
  return `${north}, ${Math.abs(around).toFixed(4)}° ${around < 0 ? 'W' : 'E'}`;
}
