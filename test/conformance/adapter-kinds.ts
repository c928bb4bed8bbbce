// What ERPs hold beside the ordinary, and how every adapter reads it that can meet it: databases that are not there, several
// companies, kits, codes that change or come back, suppliers in an order, units in which orders are rounded.
import type { Adapter, Connection, Page, Stream } from '../../adapters/adapter.ts'
import { Fatal } from '../../adapters/errors.ts'
import type { RecordKind, RecordOf } from '../../adapters/records.ts'
import { readAll, readRecords, streamOf } from './adapter.ts'

/** Why an adapter cannot meet something: then there is nothing to test. */
interface NotFor {
  notFor: string
}
type Case<T> = (() => Promise<T>) | NotFor

interface Sku {
  connection: Connection
  sku: string
}

export interface KindsFixture {
  /** A database, company or folder that is not there. No target: the ERP does not tell it from a wrong password. */
  missing: Case<{ connection: Connection; target: string | null }>
  /** A user of several companies: without a choice, with the right one, and with one that it may not read. */
  severalCompanies: Case<{ open: Connection; chosen: Connection; foreign: Connection }>
  /** Open orders of kits: what must be among the records, and nothing of the kit itself. */
  kits: Case<Sku & { record: RecordKind; quantity: number; kit: string | null }>
  /** A code that a product had which is given up, of which there is other stock. */
  codeReused: Case<Sku & { onHand: number }>
  /** Two products of one code that are both bought. */
  codeTwice: Case<Sku>
  /** @param change gives a product another code */
  codeChanged: Case<{ connection: Connection; change(): void; before: string; after: string }>
  /** Several suppliers of one SKU. */
  supplierOrder: Case<Sku & { supplier: string }>
  /** A unit of purchase of which parts may be ordered. */
  rounding: Case<Sku & { lotSize: number | null }>
  /** An open order of which a base unit costs 1.80 EUR, 10 % less than without its discount. */
  orderPrice: Case<{ connection: Connection; document: string }>
  /** An open order of one line with what its supplier has confirmed of it, beside what is wanted; and one of which nothing is. */
  confirmation: Case<{
    connection: Connection
    document: string
    line: Pick<RecordOf<'openOrders'>, 'quantity' | 'due' | 'confirmedOn' | 'confirmedQuantity'>
    unconfirmed: string
  }>
  /** @param refuse has the ERP answer 400 to one of the lists that drafts are read from. @param isOf whether a draft is of it */
  refusedList: Case<{
    connection: Connection
    refuse(): void
    isOf(draft: RecordOf<'drafts'>): boolean
  }>
}

/** Defines the shared tests of these kinds for one adapter. */
export function kindsConformance(adapter: Adapter, fixture: KindsFixture) {
  const signal = new AbortController().signal

  function define<K extends keyof KindsFixture>(
    kind: K,
    name: string,
    test: (given: Awaited<ReturnType<Extract<KindsFixture[K], () => unknown>>>) => Promise<void>,
  ) {
    const given = fixture[kind] as Case<Parameters<typeof test>[0]>
    if (typeof given === 'function') it(name, async () => test(await given()))
  }

  const failure = (reading: Promise<unknown>) =>
    reading.then(
      () => null,
      (reason: unknown) => reason,
    )
  const readAny = async (connection: Connection) => {
    for (const stream of adapter.streams(connection)) await readAll(stream)
  }

  describe(`${adapter.type} and the extraordinary`, () => {
    define(
      'missing',
      'refuses what is not there, by the field that names it',
      async ({ connection, target }) => {
        if (target === null) {
          const checks = await adapter.check(connection, signal)
          expect(checks.filter(({ status }) => status === 'ok')).toEqual([])
          return
        }
        for (const attempt of [adapter.check(connection, signal), readAny(connection)]) {
          const error = await failure(attempt)
          expect(error).toBeInstanceOf(Fatal)
          expect(error).toMatchObject({ target })
        }
      },
    )

    define(
      'severalCompanies',
      'asks which company is read, and refuses one that cannot be',
      async ({ open, chosen, foreign }) => {
        for (const connection of [open, foreign]) {
          const error = await failure(adapter.check(connection, signal))
          expect(error).toBeInstanceOf(Fatal)
          expect(error).toMatchObject({ target: 'options.company' })
        }
        const checks = await adapter.check(chosen, signal)
        expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['ok']))
      },
    )

    define(
      'kits',
      'has the parts of kits that are ordered, and not the kits',
      async ({ connection, record, sku, quantity, kit }) => {
        const records = (await readRecords(adapter, connection, record)) as object[]
        expect(records).toContainEqual(expect.objectContaining({ sku, quantity }))
        expect(records).not.toContainEqual(expect.objectContaining({ sku: kit }))
      },
    )

    define(
      'codeReused',
      'leaves a code to the product that is bought, with its own stock alone',
      async ({ connection, sku, onHand }) => {
        const skus = (await readRecords(adapter, connection, 'skus')).filter(
          (each) => each.sku === sku,
        )
        expect(skus.map(({ purchasable }) => purchasable !== false)).toEqual([true])
        const stock = await readRecords(adapter, connection, 'stock')
        const sum = stock.reduce((all, row) => all + (row.sku === sku ? row.onHand : 0), 0)
        expect(sum).toBe(onHand)
      },
    )

    define(
      'codeTwice',
      'refuses a code that two products have, or tells them apart',
      async (given) => {
        const { connection, sku } = given
        const pages = await readAll(streamOf(adapter, connection, 'skus'))
        const named = pages
          .flatMap(({ records }) => records)
          .filter((each) => 'sku' in each && each.sku === sku)
        expect(named.length).toBeLessThan(2)
        const refused = pages.flatMap(({ quarantined }) => quarantined)
        if (named.length) expect(refused.map(({ code }) => code)).toEqual(['duplicate_key'])
      },
    )

    define(
      'codeChanged',
      'knows a product by the same identity under its new code',
      async ({ connection, change, before, after }) => {
        const stream = streamOf(adapter, connection, 'skus')
        const pages = await readAll(stream)
        const identityOf = (found: typeof pages, sku: string) =>
          found
            .flatMap(({ records }) => records)
            .flatMap((each) => ('identity' in each && each.sku === sku ? [each.identity] : []))
        const identities = identityOf(pages, before)
        expect(identities).toEqual([expect.any(String)])
        change()
        const later = await readAll(streamOf(adapter, connection, 'skus'), pages.at(-1)!.cursor)
        expect(identityOf(later, after)).toEqual(identities)
        expect(identityOf(later, before)).toEqual([])
        expect(stream.namesSkus).toBe(true)
      },
    )

    define(
      'supplierOrder',
      'takes the supplier that the ERP takes',
      async ({ connection, sku, supplier }) => {
        const planning = await readRecords(adapter, connection, 'planning')
        const own = planning.filter((each) => each.sku === sku)
        expect(new Set(own.map((each) => each.supplier))).toEqual(new Set([supplier]))
      },
    )

    define(
      'rounding',
      'rounds orders as the ERP rounds the unit of purchase',
      async ({ connection, sku, lotSize }) => {
        const planning = await readRecords(adapter, connection, 'planning')
        const own = planning.filter((each) => each.sku === sku)
        expect(new Set(own.map((each) => each.lotSize))).toEqual(new Set([lotSize]))
      },
    )

    define(
      'orderPrice',
      'has the price of an open order, by base unit and less its discount',
      async ({ connection, document }) => {
        const orders = await readRecords(adapter, connection, 'openOrders')
        const own = orders.filter((each) => each.document === document)
        const prices = own.map(({ unitCost, currency }) => [Number(unitCost), currency ?? 'EUR'])
        expect(prices).toEqual([[1.8, 'EUR']])
      },
    )

    define(
      'confirmation',
      'has the day and the quantity that are confirmed of an open order beside those that are wanted',
      async ({ connection, document, line, unconfirmed }) => {
        const orders = await readRecords(adapter, connection, 'openOrders')
        const linesOf = (number: string) =>
          orders
            .filter((each) => each.document === number)
            .map(({ quantity, due, confirmedOn = null, confirmedQuantity = null }) => ({
              ...{ quantity, due, confirmedOn, confirmedQuantity },
            }))
        expect(linesOf(document)).toEqual([line])
        const nothing = { confirmedOn: null, confirmedQuantity: null }
        expect(linesOf(unconfirmed)).toMatchObject([nothing])
      },
    )

    define(
      'refusedList',
      'does without a list that is refused until it was read once, and then does not lose what is stored of it',
      async ({ connection, refuse, isOf }) => {
        const drafts = () => streamOf(adapter, connection, 'drafts') as Stream<'drafts'>
        const known = (await readAll(drafts())).flatMap(({ records }) => records)
        const [own, others] = [true, false].map((isOwn) =>
          known.filter((draft) => isOf(draft) === isOwn),
        )
        expect(Math.min(own!.length, others!.length)).toBeGreaterThan(0)
        refuse()
        const readBeside = async (stored?: RecordOf<'drafts'>[]) => {
          const answer = stored && (async () => stored as object[] as Record<string, string>[])
          const pages: Page<'drafts'>[] = []
          for await (const page of drafts().read(null, signal, answer)) pages.push(page)
          return pages
        }
        await expect(readBeside(known)).rejects.toMatchObject({ code: 'request_refused' })
        for (const stored of [undefined, [], others]) {
          const pages = await readBeside(stored)
          const keys = new Set(
            pages
              .flatMap(({ records }) => records)
              .map(({ document, line }) => `${document}/${line}`),
          )
          expect(keys).toEqual(new Set(others!.map(({ document, line }) => `${document}/${line}`)))
          expect(pages.flatMap(({ notes = [] }) => notes)).toHaveLength(1)
        }
      },
    )
  })
}
