// The demo's proposals as the buyer's list reads them, in a service of its own.
import { DatabaseSync } from 'node:sqlite'
import { Service, until } from '../support/service.ts'

export interface Row {
  ID: number
  sku: string
  location: string
  supplier: string
  quantity: string
  moq: number
  lotSize: number
  status: string
}

export class Demo {
  readonly service: Service
  readonly #taken = new Set<number>()

  private constructor(service: Service) {
    this.service = service
  }

  /** Once every proposal is there. */
  static async start(restock: object = {}): Promise<Demo> {
    const service = await Service.inTemporaryFolder()
    // Where everything runs at once the demo takes longer than this waits by itself.
    await service.start({ CDS_CONFIG: JSON.stringify({ restock }) }).catch(() => {})
    await until(async () => {
      const api = await service.api()
      return (await api.get('/syncs/sync_1')).data.status === 'succeeded'
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

  async statusOf(ID: number) {
    return (await this.read(`$filter=ID eq ${ID}`))[0]!.status
  }

  /** A rule of one's own as it stands in the database, so that nothing is calculated anew. */
  setMinimum(supplier: string, minimumOrderValue: string) {
    const database = new DatabaseSync(this.service.database)
    const columns = 'level, skuGroup, supplier, sku, location, minimumOrderValue'
    const rule = `INSERT INTO restock_Policies (${columns}) VALUES ('supplier', '', ?, '', '', ?)`
    database.prepare(rule).run(supplier, minimumOrderValue)
    database.close()
  }

  /** A pending one that no other test has touched. */
  async take(filter: string): Promise<Row> {
    const query = `$filter=status eq 'pending' and ${filter}&$orderby=ID&$top=50`
    const row = (await this.read(query)).find(({ ID }) => !this.#taken.has(ID))!
    this.#taken.add(row.ID)
    return row
  }
}
