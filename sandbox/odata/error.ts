/** An error answer of the ERP, with SAP Gateway's `code`. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: number
  readonly code: string
  constructor(status: number, message: string, code = '/IWBEP/CM_MGW_RT/021') {
    super(message)
    this.status = status
    this.code = code
  }
}

export const bad = (message: string) => new Refusal(400, message, '/IWBEP/CM_MGW_RT/020')

/** The body of an error in the given OData version. */
export function errorBody(version: 2 | 4, { code, message }: Refusal): string {
  if (version === 4) return JSON.stringify({ error: { code, message, target: '', details: [] } })
  const innererror = {
    transactionid: '6A0F51E3B1C80070E0066A0F51E3B1C8',
    timestamp: '',
    errordetails: [{ code, message, severity: 'error', target: '' }],
  }
  return JSON.stringify({ error: { code, message: { lang: 'en', value: message }, innererror } })
}
