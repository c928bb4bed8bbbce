import { Once } from '../rows/memoize.ts'
import { objectsIn } from '../rows/objects.ts'
import type { Domain, ModelPage, ModelQuery, ModelReader, ModelRow } from '../rpc/reader.ts'
import type { Transport } from './transports.ts'

/** Archived records are shown, and times are in UTC. */
export const BASE_CONTEXT = { active_test: false, tz: 'UTC' }

/** Reads records of Odoo's models, archived ones too. */
export class OdooClient implements ModelReader {
  readonly pageSize: number
  readonly #transport: (signal: AbortSignal) => Promise<Transport>
  readonly #context: (signal: AbortSignal) => Promise<Record<string, unknown>>
  readonly #fields = new Once()

  constructor(
    transport: (signal: AbortSignal) => Promise<Transport>,
    pageSize: number,
    context: (signal: AbortSignal) => Promise<Record<string, unknown>>,
  ) {
    this.#transport = transport
    this.pageSize = pageSize
    this.#context = context
  }

  async search<Row extends ModelRow>(
    { model, domain, fields, context, newestFirst }: ModelQuery,
    limit: number,
    signal: AbortSignal,
  ): Promise<ModelPage<Row>> {
    const order = newestFirst ? 'id desc' : 'id'
    const all = { ...(await this.#contextFor(model, signal)), ...context }
    const args = { domain: flatten(domain), fields, limit, order, context: all }
    const { result, serverTime } = await this.#call<Row[]>(model, 'search_read', args, signal)
    const rows = objectsIn<Row>(result, `${model}: Odoo answers without a list of records.`)
    return { rows, serverTime }
  }

  async count(
    { model, domain }: Pick<ModelQuery, 'model' | 'domain'>,
    signal: AbortSignal,
  ): Promise<number> {
    const args = { domain: flatten(domain), context: await this.#context(signal) }
    return Number((await this.#call<number>(model, 'search_count', args, signal)).result)
  }

  /** The fields that a model has in this version and with these modules. */
  fieldsOf(model: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    return this.#fields.get(model, () => this.#readFields(model, signal))
  }

  async now(signal: AbortSignal): Promise<number> {
    const query = { model: 'res.company', domain: [], fields: ['id'] }
    return (await this.search(query, 1, signal)).serverTime ?? Date.now()
  }

  anyOf(...domains: Domain[]): unknown {
    return { anyOf: domains }
  }

  /** Odoo keeps times in UTC, and names no zone. */
  instant(at: number): unknown {
    return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  }

  /** The company is chosen from those that the user sees without a choice. */
  async #contextFor(model: string, signal: AbortSignal) {
    return model === 'res.company' ? BASE_CONTEXT : this.#context(signal)
  }

  async #readFields(model: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { result } = await this.#call<object>(
      ...([model, 'fields_get', { attributes: ['type'] }, signal] as const),
    )
    return new Set(Object.keys(result))
  }

  async #call<T>(model: string, method: string, args: object, signal: AbortSignal) {
    const transport = await this.#transport(signal)
    return transport.call<T>(model, method, args as Record<string, unknown>, signal)
  }
}

/** In Polish notation: `anyOf` becomes as many `|` as there are alternatives less one, each joined by `&`. */
function flatten(domain: Domain): unknown[] {
  return domain.flatMap((condition) => {
    if (typeof condition !== 'object' || condition === null || !('anyOf' in condition)) {
      return [condition]
    }
    const parts = (condition as { anyOf: Domain[] }).anyOf.map((part) => {
      const conditions = flatten(part)
      const operators = conditions.filter((each) => each === '|' || each === '&').length
      const operands = conditions.length - operators
      return [...Array<string>(operands - 1 - operators).fill('&'), ...conditions]
    })
    return [...Array<string>(parts.length - 1).fill('|'), ...parts.flat()]
  })
}

/** What reading places, units and quantities needs of a company. */
export interface Reads {
  readonly client: OdooClient
  company(signal: AbortSignal): Promise<number>
}
