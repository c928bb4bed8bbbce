import type { Erp } from '../../sandbox/index.ts'

export type Row = Record<string, unknown>

const V2 = '/sap/opu/odata/sap/'
export const V4 = '/sap/opu/odata4/sap/api_purchaseorder_2/srvd_a2x/sap/purchaseorder/0001/'

/** A request as the communication user; `path` below the V2 services unless it begins with a slash. */
export function get(erp: Erp, path: string, headers: Record<string, string> = {}) {
  const url = path.startsWith('http') ? path : erp.url + (path.startsWith('/') ? path : V2 + path)
  return fetch(url, { headers: { authorization: erp.basic, ...headers }, redirect: 'manual' })
}

/** The rows of one V2 page. */
export async function rowsOf(erp: Erp, path: string): Promise<Row[]> {
  const response = await get(erp, path)
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  const { d } = (await response.json()) as { d: { results: Row[] } }
  return d.results
}

/** All rows of a V2 set, by following the links. */
export async function* follow(erp: Erp, path: string): AsyncGenerator<Row> {
  for (let next: string | undefined = path; next !== undefined;) {
    const response = await get(erp, next)
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
    const { d } = (await response.json()) as { d: { results: Row[]; __next?: string } }
    yield* d.results
    next = d.__next
  }
}

export async function all(erp: Erp, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of follow(erp, path)) rows.push(row)
  return rows
}

export const query = (options: Record<string, string | number>) =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** The milliseconds of `/Date(…)/`. */
export const ms = (value: unknown) => Number(/-?\d+/.exec(String(value))?.[0])
