// Sandboxes that show a company: a line for each kind of ERP.
import type { Company } from './company/company.ts'
import type { CompanyErp } from './company/erp.ts'
import { greetFrom } from './netsuite/greeting.ts'
import { greetFromOdoo } from './odoo/greeting.ts'
import { greetFromTryton } from './tryton/greeting.ts'

export const COMPANY_ERPS: Record<string, (company: Company, port: number) => Promise<CompanyErp>> =
  {
    netsuite: greetFrom,
    odoo: greetFromOdoo,
    tryton: greetFromTryton,
  }
