// Puts what exists in the place of what the documentation names only by example.
import type { AxiosInstance } from 'axios'

interface Row {
  id: string
  kind?: string
}

const first = async (api: AxiosInstance, path: string): Promise<string> => {
  const { data } = await api.get<{ data: Row[] }>(path)
  const [row] = data.data
  if (!row) throw new Error(`there is nothing at ${path}`)
  return row.id
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** The command with ids that exist, and days that are to come. */
export async function withKnown(command: string, api: AxiosInstance): Promise<string> {
  const status = /proposals cancel/.test(command) ? 'approved' : 'pending'
  const paths: [RegExp, string][] = [
    [
      /\bprop_\d+/,
      `/proposals?status=${status}&limit=1${status === 'pending' ? '&supplier=S-8' : ''}`,
    ],
    [/\bsrc_\d+/, '/sources?limit=1'],
    [/\bexc_\d+/, '/exceptions?limit=1'],
    [/\bwh_\d+/, '/webhooks?limit=1'],
    [/\bplan_\d+/, '/planned-events?limit=1'],
    [/\bovr_\d+/, '/forecast-overrides?limit=1'],
    [/\bk7d2m\b/, '/keys?limit=1'],
  ]
  let known = command.replaceAll(/\b20\d\d-12-(\d\d)\b/g, (_, day: string) => inDays(Number(day)))
  for (const [example, path] of paths) {
    if (example.test(known)) known = known.replace(example, await first(api, path))
  }
  if (/\bsync_\d+/.test(known)) {
    const { data } = await api.get<{ data: { last_sync: Row | null }[] }>('/sources?limit=200')
    const { last_sync } = data.data.find((source) => source.last_sync)!
    known = known.replace(/\bsync_\d+/, last_sync!.id)
  }
  return known
}
