import type { Company } from './company.ts'

/** A sandbox that shows a company. */
export interface CompanyErp {
  /** How it is connected. */
  greeting: string
  close(): Promise<void>
}

export type StartCompanyErp = (company: Company, port: number) => Promise<CompanyErp>

/** What `restock connect` is given. */
export interface Way {
  /** As a shell takes it. */
  secret: string
  clientId: string
  account: string
  role?: string
  baseUrl?: string
  options?: Record<string, string>
}

interface Running {
  url: string
  close(): Promise<void>
}

/** @param name of the ERP, as people say it */
export const showing =
  <E extends Running>(
    source: string,
    name: string,
    start: (company: Company, options: { port: number }) => Promise<E>,
    wayTo: (erp: E) => Way,
  ): StartCompanyErp =>
  async (company, port) => {
    const erp = await start(company, { port })
    const greeting = `${name} sandbox at ${erp.url}

Connect it (with npm start running in another terminal):
  ${commandOf(source, wayTo(erp))}`
    return { greeting, close: () => erp.close() }
  }

export function commandOf(source: string, way: Way): string {
  const { secret, clientId, account, role = 'reader', baseUrl, options = {} } = way
  const parts = [
    `RESTOCK_CLIENT_SECRET=${secret} npx restock connect --source ${source} --account ${account}`,
    ...[`--role ${role}`, ...(baseUrl ? [`--base-url ${baseUrl}`] : [])],
    `--client-id ${clientId}`,
    ...Object.entries(options).map(([option, value]) => `--option ${option}=${value}`),
  ]
  return parts.join(' ')
}
