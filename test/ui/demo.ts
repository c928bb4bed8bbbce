// A service with the demo, and its proposals as the buyer's list reads them.
import { DatabaseSync } from 'node:sqlite'
import { Service, until } from '../support/service.ts'
import type { Sync } from '../../client/types.ts'

export interface Row {
  ID: number
  sku: string
  location: string
  supplier: string
  quantity: string
  value: string
  unitCost: string
  moq: number
  lotSize: number
  status: string
  forecastAdjusted?: string | null
}

export class Demo {
  readonly service: Service
  readonly #taken = new Set<number>()

  private constructor(service: Service) {
    this.service = service
  }

  /** Starts the service and waits until all proposals exist. */
  static async start(restock: object = {}, env: Record<string, string> = {}): Promise<Demo> {
    const service = await Service.inTemporaryFolder()
    // `start` may time out on a busy machine, so the first sync is awaited below.
    // One test's approvals for a supplier do not count against the next one's.
    const settings = { approvalLimitsPer: 'line', ...restock }
    const CDS_CONFIG = JSON.stringify({ restock: settings })
    await service.start({ CDS_CONFIG, ...env }).catch(() => {})
    await until(async () => {
      const api = await service.api()
      return (await api.get<Sync>('/syncs/sync_1')).data.status === 'succeeded'
    }, 240)
    return new Demo(service)
  }

  async end() {
    await this.service.stop()
    await this.service.clean()
  }

  async read(query: string, user = 'buyer'): Promise<Row[]> {
    const Authorization = `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`
    const answer = await fetch(`${this.service.url}/odata/v4/buyer/Proposals?${query}`, {
      headers: { Authorization },
    })
    return ((await answer.json()) as { value: Row[] }).value
  }

  /** The service's file, for what no call does; it waits for the service's own writing. */
  #database() {
    return new DatabaseSync(this.service.database, { timeout: 30_000 })
  }

  async statusOf(ID: number) {
    return (await this.read(`$filter=ID eq ${ID}`))[0]!.status
  }

  /** Sets a rule directly in the database, so that no proposals are recalculated. */
  setMinimum(supplier: string, minimumOrderValue: string) {
    const database = this.#database()
    const former = "DELETE FROM restock_Policies WHERE level = 'supplier' AND supplier = ?"
    database.prepare(former).run(supplier)
    const columns = 'level, skuGroup, supplier, sku, location, minimumOrderValue'
    const rule = `INSERT INTO restock_Policies (${columns}) VALUES ('supplier', '', ?, '', '', ?)`
    database.prepare(rule).run(supplier, minimumOrderValue)
    database.close()
  }

  /** As a sync would: ten times the quantity, in another version. */
  move(ID: number) {
    const database = this.#database()
    const terms = `json_array(json_object('until', version, 'quantity', quantity, 'value', value,
      'currency', currency, 'supplier', supplier, 'orderBy', orderBy, 'exceptions', json_array()))`
    const changes = `formerTerms = ${terms}, quantity = quantity * 10,
      calculation_quantity = calculation_quantity * 10, version = version + 1`
    database.prepare(`UPDATE restock_Proposals SET ${changes} WHERE ID = ?`).run(ID)
    database.close()
  }

  /** The first line of a list that is within the limit of a buyer, and its place in the list. */
  async within(query: string): Promise<{ row: Row; at: number }> {
    const rows = await this.read(`${query}&$top=20`)
    const at = rows.findIndex(
      ({ quantity, unitCost }) => Number(quantity) * Number(unitCost) < 5_000,
    )
    return { row: rows[at]!, at }
  }

  /** A pending proposal that no other test uses. */
  async take(filter: string): Promise<Row> {
    const query = `$filter=status eq 'pending' and ${filter}&$orderby=ID&$top=50`
    const row = (await this.read(query)).find(({ ID }) => !this.#taken.has(ID))!
    this.#taken.add(row.ID)
    return row
  }
}
