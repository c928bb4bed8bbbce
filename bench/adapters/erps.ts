// The simulators, a line or a few for each kind of ERP.
import type { Connection } from '../../adapters/adapter.ts'
import { startBusinessCentral } from '../../sandbox/business-central/index.ts'
import { startBusinessOne } from '../../sandbox/business-one/index.ts'
import type { Company } from '../../sandbox/company/company.ts'
import { doBusiness } from '../../sandbox/company/do-business.ts'
import { makeCompany } from '../../sandbox/company/make-company.ts'
import { startErp } from '../../sandbox/index.ts'
import { startNetsuite } from '../../sandbox/netsuite/index.ts'
import { startOdoo } from '../../sandbox/odoo/index.ts'
import { startTryton } from '../../sandbox/tryton/index.ts'
import { startSql } from './sql/index.ts'

interface Size {
  size: number
  days: number
}

/** How an adapter is given a system, with the header of its credentials. */
export type Given = Omit<Connection, 'credentials'> & { header: string }

export interface MeasuredErp {
  connection(): Given
  /** One day of business. */
  oneDay(): Promise<void>
  close(): Promise<void>
}

interface Running {
  /** Shows what has happened in the company. */
  refresh?(): Promise<void>
  close(): Promise<void>
}

const ofCompany =
  <E extends Running>(
    start: (company: Company) => Promise<E>,
    wayTo: (erp: E, size: Size) => Partial<Given> & Pick<Given, 'account' | 'header'>,
  ) =>
  async (size: Size): Promise<MeasuredErp> => {
    const company = makeCompany(size)
    const erp = await start(company)
    const common = { role: 'reader', baseUrl: null, options: { history_days: size.days } }
    return {
      connection: () => ({ ...common, ...wayTo(erp, size) }),
      async oneDay() {
        doBusiness(company)
        await erp.refresh?.()
      },
      close: () => erp.close(),
    }
  }

const basicOf = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

export const ERPS: Record<string, (size: Size) => Promise<MeasuredErp>> = {
  async s4hana(size) {
    const erp = await startErp(size)
    const options = { auth: 'basic', history_days: size.days }
    return {
      connection: () => ({
        ...{ account: erp.url, role: 'Z_RESTOCK_READ', baseUrl: null, header: erp.basic, options },
      }),
      oneDay: async () => void erp.control.advance(1),
      close: () => erp.close(),
    }
  },
  netsuite: ofCompany(startNetsuite, (erp, { days }) => {
    erp.set({ totals: false })
    const { account, role, url: baseUrl } = erp
    const options = { time_zone: 'America/Los_Angeles', history_days: days }
    return { account, role, baseUrl, header: erp.header(), options }
  }),
  business_central: ofCompany(startBusinessCentral, ({ tenant, baseUrl, basic }, { days }) => ({
    ...{ account: tenant, baseUrl, header: basic },
    options: { auth: 'basic', planning_service: 'RestockItems', history_days: days },
  })),
  business_one: ofCompany(startBusinessOne, ({ companyDb, url, user }, { days }) => ({
    ...{ account: companyDb, baseUrl: url, header: basicOf(user.name, user.password) },
    options: { currency: 'EUR', history_days: days },
  })),
  odoo: ofCompany(startOdoo, ({ url, user }, { days }) => ({
    ...{ account: url, header: basicOf(user.login, user.key) },
    options: { database: user.database, history_days: days },
  })),
  tryton: ofCompany(startTryton, ({ url, user }) => ({
    ...{ account: url, header: basicOf(user.login, user.password) },
  })),
  sql: ofCompany(startSql, ({ account, reader }) => ({
    ...{ account, header: basicOf(reader.user, reader.password), options: { changed_at: 'all' } },
  })),
}
