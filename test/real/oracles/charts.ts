/** Pages with charts and diagrams. */
import type { Oracle } from '../oracle.ts';

export const charts: readonly Oracle[] = [
  { page: 'chart-js', texts: ['Votes by colour'], colours: { '#9ad0f5': 20_000 }, archive: true },
  {
    page: 'chart-js-dashboard',
    texts: ['Sales dashboard', 'January 48,210', 'June 70,055'],
    colours: { '#36a2eb': 8000, '#ff6384': 4000 },
    archive: true,
  },
  { page: 'echarts', colours: { '#5070dd': 40_000 } },
  {
    page: 'echarts-svg-pie',
    texts: ['Where visitors come from', 'Search', 'Partners'],
    colours: { '#5070dd': 5000 },
  },
  { page: 'highcharts', texts: ['Fruit Consumption', 'Jane', 'John', 'Bananas'], archive: true },
  { page: 'highcharts-lines', texts: ['Employment by sector', 'Builders', 'Sellers'] },
  { page: 'apexcharts', texts: ['Monthly inflation', 'sales', 'costs', '1999'] },
  { page: 'd3-transition', texts: ['Frequency of letters', 'E', 'P'], colours: { '#4682b4': 60_000 } },
  { page: 'd3-force', texts: ['Person 1', 'Person 40'], colours: { '#d62728': 6000 } },
  { page: 'vega', colours: { '#4682b4': 60_000 } },
  { page: 'vega-lite', texts: ['Weather of a week', 'Sun', 'temperature'], colours: { '#e45756': 60_000 } },
  { page: 'plotly', texts: ['Growth of samples', 'Doubling', 'Samples'] },
  { page: 'plotly-animate', texts: ['Position at the end'], colours: { '#ff5722': 1200 } },
  {
    page: 'mermaid',
    texts: ['In stock?', 'Ship the goods', 'Places order', 'Parcel'],
    absentTexts: ['graph LR', '->>'],
  },
  {
    page: 'mermaid-module',
    texts: ['Release 2.0', 'Trial run', 'Hours'],
    absentTexts: ['gantt', 'dateFormat'],
  },
];
