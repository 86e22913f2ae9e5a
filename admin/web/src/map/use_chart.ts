// The chart of a map inside a page: as large as its element, on the base map of the site and in the
// colours of the page, for as long as the component is there.
import { effect, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { dark } from '../app/theme.ts';
import { Chart } from './chart.ts';
import type { MapModel } from './model.ts';
import { baseMapOptions, exposeForTests } from './page.tsx';

// Null until the element is there. The model goes with the chart.
export function useChart(element: RefObject<HTMLElement | null>, model: MapModel): Chart | null {
  const chart = useSignal<Chart | null>(null);
  useEffect(() => {
    const made = new Chart(element.current!, model, { center: null, zoom: null, ...baseMapOptions() });
    chart.value = made;
    exposeForTests(made);
    const stop = effect(() => { model.dark.value = dark.value; });
    return () => {
      stop();
      made.dispose();
      model.dispose();
    };
  }, []);
  return chart.value;
}
