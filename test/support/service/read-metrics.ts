/** The samples of Prometheus' text format, by name and labels as written, such as `turns_total{status="ran"}`. */
export const samplesOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );

/** A service's metrics, read as an operator's Prometheus does. */
export const readMetrics = async (url: string): Promise<ReadonlyMap<string, number>> =>
  samplesOf(await (await fetch(`${url}/metrics`)).text());
