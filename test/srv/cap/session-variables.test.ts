import { Writable } from 'node:stream'
import cds from '@sap/cds'
import { runDetached } from '../../../srv/base/cap/context.ts'
import { ASKS, tellBeforeAsking, tellLate } from '../../../srv/base/cap/session-variables.ts'

describe('what asks for a variable of the session', () => {
  it('is known by its text, also where a view does that it reads', async () => {
    const sql = cds.compile.to.sql(await cds.load('*'), { dialect: 'postgres', as: 'str' } as never)
    const views = [...String(sql).matchAll(/^CREATE VIEW (\S+) AS ([^]*?);$/gm)]
    expect(views.length).toBeGreaterThan(100)
    const asking = new Set<string>()
    for (let before = -1; before < asking.size;) {
      before = asking.size
      for (const [, name, text] of views) {
        const words = text!.match(/\w+/g)!
        if (words.includes('current_setting') || words.some((word) => asking.has(word)))
          asking.add(name!)
      }
    }
    expect(asking.size).toBeGreaterThan(20)
    expect([...asking].filter((name) => !ASKS.test(`SELECT * FROM ${name} AS x`))).toEqual([])
  })
})

/** A client of the driver that notes what it is sent, and answers a moment later. */
function client() {
  const sent: string[] = []
  const dbc = {
    query(...[statement]: unknown[]): unknown {
      sent.push(statement instanceof Writable ? 'stream' : String(statement))
      return statement instanceof Writable ? statement : Promise.resolve()
    },
  }
  tellBeforeAsking(dbc)
  return { dbc, sent }
}

/** A transaction of CAP's service for PostgreSQL, as far as it is changed. */
function transaction() {
  const { dbc, sent } = client()
  const service = {
    async set(this: { dbc: typeof dbc }, variables: object) {
      const names: string[] = []
      for (const name in variables) names.push(name)
      await Promise.resolve()
      await this.dbc.query(`SELECT set_config(${names.join()})`)
    },
  }
  tellLate(service)
  const tx = Object.assign(Object.create(service) as typeof service, { dbc })
  return { service, tx, sent }
}

const VARIABLES = { user: 'anna' }

describe('a transaction', () => {
  it('tells its variables where a statement asks for one, before that and once', async () => {
    const { tx, sent } = transaction()
    await tx.set(VARIABLES)
    expect(sent.splice(0)).toEqual(['SELECT set_config(statement_timeout,user)'])

    await tx.set(VARIABLES)
    await tx.dbc.query('SELECT 1')
    expect(sent.splice(0)).toEqual(['SELECT 1'])
    const asks = "SELECT current_setting('user')"
    await Promise.all([
      tx.dbc.query(asks),
      tx.dbc.query('SELECT 2'),
      tx.dbc.query('SELECT * FROM localized_restock_Doors'),
    ])
    await tx.dbc.query('SELECT * FROM BuyerService_Proposals')
    expect(sent.splice(0)).toEqual([
      'SELECT set_config(user)',
      asks,
      'SELECT 2',
      'SELECT * FROM localized_restock_Doors',
      'SELECT * FROM BuyerService_Proposals',
    ])

    await tx.set(VARIABLES)
    tx.dbc.query(new Writable())
    await tx.dbc.query(asks)
    expect(sent).toEqual(['stream', 'SELECT set_config(user)', asks])
  })

  it('tells at once how long a statement may take, where that differs from the one before', async () => {
    const { tx, sent } = transaction()
    await tx.set(VARIABLES)
    await runDetached('work', () => tx.set(VARIABLES))
    await runDetached('work', () => tx.set(VARIABLES))
    await tx.set(VARIABLES)
    expect(sent).toEqual(Array(3).fill('SELECT set_config(statement_timeout,user)'))
  })

  it('fails with what could not be told', async () => {
    const { tx } = transaction()
    await tx.set(VARIABLES)
    await tx.set(VARIABLES)
    const { query } = tx.dbc
    tx.dbc.query = (...args) =>
      String(args[0]).includes('set_config') ? Promise.reject(new Error('cut off')) : query(...args)
    await expect(tx.dbc.query("SELECT current_setting('user')")).rejects.toThrow('cut off')
  })

  it('asks by which collation to sort at the service’s first one alone', async () => {
    const { service, tx } = transaction()
    await tx.set(VARIABLES)
    expect(service).toHaveProperty('_initalCollateCheck', true)
  })
})
