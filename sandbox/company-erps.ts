// Sandboxes that show a company, and how each is connected: a line for each kind of ERP.
import { startBusinessCentral } from './business-central/index.ts'
import { startBusinessOne } from './business-one/index.ts'
import { showing, type StartCompanyErp } from './company/erp.ts'
import { greetFrom } from './netsuite/greeting.ts'
import { startOdoo } from './odoo/index.ts'
import { startTryton } from './tryton/index.ts'

export const COMPANY_ERPS: Record<string, StartCompanyErp> = {
  business_central: showing(
    ...(['business_central', 'Business Central', startBusinessCentral] as const),
    ({ url, tenant, baseUrl, client }) => ({
      ...{ account: tenant, baseUrl, clientId: client.id, secret: client.secret },
      options: { login_url: url, planning_service: 'RestockItems' },
    }),
  ),
  business_one: showing(
    ...(['business_one', 'Business One', startBusinessOne] as const),
    ({ url, companyDb, user }) => ({
      ...{ account: companyDb, baseUrl: url, clientId: user.name, secret: user.password },
      options: { currency: 'EUR', batches_query: 'restock_batches' },
    }),
  ),
  netsuite: greetFrom,
  odoo: showing('odoo', 'Odoo', startOdoo, ({ url, user }) => ({
    ...{ account: url, clientId: user.login, secret: user.key },
    options: { database: user.database },
  })),
  tryton: showing('tryton', 'Tryton', startTryton, ({ url, user }) => ({
    ...{ account: url, clientId: user.login, secret: user.password },
  })),
}
