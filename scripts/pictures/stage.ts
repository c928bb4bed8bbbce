// What the pictures show: the demo, a folder of files with mistakes in it, and an ERP that can be connected.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Source, Sync } from '../../client/types.ts'
import { type Erp, startErp } from '../../sandbox/index.ts'
import { Demo } from '../../test/ui/demo.ts'
import { until } from '../../test/support/service.ts'

const DAY_MS = 86_400_000
const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10)

/** Four months of demand of three SKUs; rows with mistakes, and a SKU without a lead time. */
async function writeShop(folder: string) {
  const days = Array.from({ length: 120 }, (_, at) => day(at + 1))
  const demand = ['MUG', 'CUP', 'BOWL'].flatMap((sku, nth) =>
    days.map((date, at) => `${sku},SHOP,${date},${2 + nth + ((at * 7919) % 4)}`),
  )
  const files = {
    'demand.csv': [
      'sku,location,date,quantity',
      ...demand,
      'MUG,SHOP,yesterday,4',
      `CUP,SHOP,${day(3)},four`,
      `,SHOP,${day(2)},5`,
    ],
    'stock.csv': ['sku,location,on_hand', 'MUG,SHOP,3', 'CUP,SHOP,3', 'BOWL,SHOP,60'],
    'planning.csv': [
      'sku,location,lead_time_days,unit_cost,supplier,currency',
      'CUP,SHOP,7,2.10,S-90,EUR',
      'MUG,SHOP,,1.80,S-90,EUR',
      'BOWL,SHOP,9,4.50,S-90,EUR',
    ],
  }
  await mkdir(folder)
  for (const [name, lines] of Object.entries(files)) {
    await writeFile(path.join(folder, name), `${lines.join('\n')}\n`)
  }
}

export class Stage {
  readonly demo: Demo
  readonly erp: Erp
  readonly #folder: string

  private constructor(demo: Demo, erp: Erp, folder: string) {
    this.demo = demo
    this.erp = erp
    this.#folder = folder
  }

  static async set(): Promise<Stage> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'restock-pictures-'))
    await writeShop(path.join(folder, 'shop'))
    const erp = await startErp({ size: 60, days: 150 })
    const demo = await Demo.start({ secondApproverAbove: '20000' }, { RESTOCK_CSV_ROOT: folder })
    const stage = new Stage(demo, erp, folder)
    const api = await demo.service.api()
    const { data: shop } = await api.post<Source>('/sources', { type: 'csv', account: 'shop' })
    const { data: sync } = await api.post<Sync>(`/sources/${shop.id}/sync`, { mode: 'full' })
    await stage.syncEnded(sync.id)
    demo.setMinimum('S-01', '120000')
    return stage
  }

  async syncEnded(id: string) {
    const api = await this.demo.service.api()
    await until(async () => {
      const { data } = await api.get<Sync>(`/syncs/${id}`)
      return ['succeeded', 'partial'].includes(data.status)
    }, 240)
  }

  /** Takes the connected ERP away, so that it can be connected again. */
  async disconnect() {
    const api = await this.demo.service.api()
    const { data } = await api.get<{ data: Source[] }>('/sources')
    for (const { id, type } of data.data) if (type === 's4hana') await api.delete(`/sources/${id}`)
  }

  async approve(ID: number) {
    await this.#post(`/proposals/prop_${ID}/approve`, {})
  }

  /** Says something else than the forecast. */
  async adjustForecast() {
    const [first] = await this.demo.read("$filter=status eq 'pending'&$orderby=ID&$top=1")
    const { sku, location } = first!
    const to = day(-30)
    const body = { sku, location, percent: 20, to, reason: 'Trade fair in week 49' }
    await this.#post('/forecast-overrides', body)
  }

  /** A key that decides in the buyer's name, once the buyer has confirmed it. */
  async issueDecidingKey() {
    const scopes = ['proposals:read', 'proposals:decide']
    const body = { name: 'Night run', scopes, acts_as: 'buyer', max_order_value: '500.00' }
    await this.#post('/keys', body)
  }

  async setRule() {
    const api = await this.demo.service.api()
    await api.put('/policies', { level: 'supplier', supplier: 'S-04', lead_time_days: 12 })
  }

  async plan() {
    const [from, to] = [day(-20), day(-24)]
    await this.#post('/planned-events', { kind: 'event', from, to, factor: 1.4, name: 'Open day' })
  }

  async addWebhook() {
    const api = await this.demo.service.api()
    const { data } = await api.get<{ data: unknown[] }>('/webhooks')
    if (!data.data.length)
      await this.#post('/webhooks', { url: 'https://hooks.example.com/restock' })
  }

  async giveLimit() {
    const limit = { user: 'approver', maxOrderValue: 5000, maxDayValue: 20_000, currency: 'EUR' }
    await this.#administrate('UserLimits/AdminService.setUserLimit', limit)
  }

  async delegate() {
    const [validFrom, validTo] = [0, 14].map((days) => `${day(-days)}T00:00:00Z`)
    const deputy = { fromUser: 'approver', toUser: 'buyer', validFrom, validTo }
    await this.#administrate('Delegations/AdminService.delegate', deputy)
  }

  async #administrate(action: string, body: object) {
    const answer = await fetch(`${this.demo.service.url}/odata/v4/admin/${action}`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${action}: ${await answer.text()}`)
  }

  async #post(path: string, body: object) {
    const api = await this.demo.service.api()
    const { status, data } = await api.post<unknown>(path, body)
    if (status >= 400) throw new Error(`${path}: ${JSON.stringify(data)}`)
  }

  async end() {
    await this.demo.end()
    await this.erp.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
