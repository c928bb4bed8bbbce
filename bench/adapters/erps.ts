// The simulators, a line for each kind of ERP.
import { doBusiness } from '../../sandbox/company/do-business.ts'
import { makeCompany } from '../../sandbox/company/make-company.ts'
import { startErp } from '../../sandbox/index.ts'
import { startNetsuite } from '../../sandbox/netsuite/index.ts'

interface Size {
  size: number
  days: number
}

export interface MeasuredErp {
  connection(): object
  /** One day of business. */
  oneDay(): void
  close(): Promise<void>
}

export const ERPS: Record<string, (size: Size) => Promise<MeasuredErp>> = {
  async s4hana(size) {
    const erp = await startErp(size)
    const options = { auth: 'basic', history_days: size.days }
    return {
      connection: () => ({
        ...{ account: erp.url, role: 'Z_RESTOCK_READ', baseUrl: null, header: erp.basic, options },
      }),
      oneDay: () => void erp.control.advance(1),
      close: () => erp.close(),
    }
  },
  async netsuite(size) {
    const erp = await startNetsuite(makeCompany(size))
    erp.set({ totals: false })
    const { account, role, url: baseUrl } = erp
    const options = { time_zone: 'America/Los_Angeles', history_days: size.days }
    return {
      connection: () => ({ account, role, baseUrl, header: erp.header(), options }),
      oneDay: () => doBusiness(erp.company),
      close: () => erp.close(),
    }
  },
}
