// E-mails that ask suppliers to change their open orders, in a language that the supplier reads.
import type cds from '@sap/cds'
import { type Request } from '@sap/cds'
import { languageOf, message } from '../texts.ts'
import { plainCode } from '../plain-code.ts'

/** What a supplier is asked for, by kind of exception, in this order. */
const KINDS = ['overdue_order', 'expedite', 'postpone', 'cancel_order'] as const
/** As many as a person reads through before they are sent. */
const MOST = 200
const NUMBERS = /^[1-9]\d{0,8}(,[1-9]\d{0,8})*$/

interface MailInput {
  exceptions?: string | null
  language?: string | null
}

interface Row {
  kind: string
  supplier: string
  supplierName: string | null
  document: string
  sku: string
  skuName: string | null
  quantity: number | string
  promisedOn: string | null
  wantedOn: string | null
}

export function handleSupplierMails(service: cds.ApplicationService) {
  service.on('supplierMails', (req: Request<MailInput>) => writeMails(service, req))
}

async function writeMails(service: cds.ApplicationService, req: Request<MailInput>) {
  const { exceptions: text, language: asked } = req.data
  const numbers = NUMBERS.test(text ?? '') ? text!.split(',').map(Number) : []
  if (!numbers.length || numbers.length > MOST)
    return refuse(req, 'exceptions', message('mail_exceptions_invalid', { most: MOST }))
  const language = languageOf(asked ?? 'en')
  if (!language) return refuse(req, 'language', message('mail_language_invalid'))
  const rows = (await service.run(
    SELECT.from('BuyerService.Exceptions')
      .columns('kind', 'supplier', 'supplierName', 'document', 'sku', 'skuName')
      .columns('quantity', 'promisedOn', 'wantedOn')
      .where({ ID: { in: numbers }, kind: { in: KINDS }, supplier: { '!=': null } })
      .orderBy('supplier', 'document', 'sku'),
  )) as Row[]
  const bySupplier = Map.groupBy(rows, ({ supplier }) => supplier)
  return [...bySupplier].map(([supplier, orders]) => ({
    ...{ supplier, supplierName: orders[0]!.supplierName },
    ...mailAbout(orders, language),
  }))
}

function mailAbout(orders: Row[], language: string) {
  const say = (key: string, places = {}) => message(`mail_${key}`, places, language)
  const day = (date: string | null) =>
    date &&
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
      ...{ day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' },
    }).format(new Date(date))
  const line = ({ document, sku, skuName, quantity, promisedOn, wantedOn }: Row, kind: string) => {
    const name = skuName ? `${plainCode(sku)} (${skuName})` : plainCode(sku)
    const places = { document, sku: name, quantity: Number(quantity) }
    return `- ${say(kind, { ...places, promised: day(promisedOn) ?? '–', wanted: day(wantedOn) ?? '–' })}`
  }
  const paragraphs = KINDS.flatMap((kind) => {
    const those = orders.filter((order) => order.kind === kind)
    if (!those.length) return []
    return [[say(`${kind}_head`), ...those.map((order) => line(order, kind))].join('\n')]
  })
  const documents = [...new Set(orders.map(({ document }) => document.split('/')[0]!))]
  return {
    subject: say(documents.length === 1 ? 'subject_one' : 'subject', {
      document: documents[0],
      count: documents.length,
    }),
    body: [say('greeting'), ...paragraphs, say('closing')].join('\n\n'),
  }
}

const refuse = (req: Request, target: string, text: string) =>
  req.reject({ status: 400, code: 'invalid_parameter', target, message: text } as never)
