/* eslint-disable no-console */
// `npm run sandbox`: a sandbox ERP to try the journey against.
import { parseArgs } from 'node:util'
import { once } from 'node:events'
import { makeCompany } from './company/make-company.ts'
import { COMPANY_ERPS } from './company-erps.ts'
import { CLIENT, startErp } from './index.ts'

const OPTIONS = {
  erp: { type: 'string', default: 's4hana' },
  port: { type: 'string', default: process.env.PORT_ERP ?? '4010' },
  skus: { type: 'string', default: '2000' },
  days: { type: 'string', default: '730' },
  plants: { type: 'string', default: '4' },
  seed: { type: 'string', default: '1' },
  now: { type: 'string' },
  paging: { type: 'string', default: 'server' },
  'no-v4': { type: 'boolean', default: false },
  'no-v2': { type: 'boolean', default: false },
  'token-seconds': { type: 'string', default: '3600' },
  pkce: { type: 'string', default: 'ignored' },
  latency: { type: 'string', default: '0' },
  issuer: { type: 'string', default: 'none' },
  help: { type: 'boolean', default: false },
} as const

const values = readArguments()

if (values.help) {
  console.log(`npm run sandbox -- [options]
  --erp s4hana         or ${Object.keys(COMPANY_ERPS).join(', ')}, which take --port, --skus, --days, --seed and --now
  --port 4010          or PORT_ERP
  --skus 2000 --days 730 --plants 4 --seed 1
  --now 2026-11-20     the ERP's clock at the start
  --paging server|none next-links, or none at all
  --no-v4, --no-v2     no V4 purchase orders, no V2 ones
  --token-seconds 3600 lifetime of access tokens
  --pkce ignored|accepted|required
  --latency 300        milliseconds before each page
  --issuer none|own|other  who the consent page says that it is`)
  process.exit(0)
}

if (values.erp in COMPANY_ERPS) {
  const { port, skus: size, days, seed, now } = values
  const company = makeCompany({
    ...{ size: Number(size), days: Number(days), seed: Number(seed) },
    ...(now !== undefined && { now }),
  })
  const erp = await COMPANY_ERPS[values.erp]!(company, Number(port))
  console.log(erp.greeting)
  await once(process, 'SIGINT')
  await erp.close()
  process.exit(0)
}

const erp = await startErp({
  port: Number(values.port),
  size: Number(values.skus),
  days: Number(values.days),
  plants: Number(values.plants),
  seed: Number(values.seed),
  ...(values.now !== undefined && { now: values.now }),
  paging: values.paging === 'none' ? 'none' : 'server',
  v4: !values['no-v4'],
  v2: !values['no-v2'],
  tokenSeconds: Number(values['token-seconds']),
  latencyMs: Number(values.latency),
  pkce: values.pkce === 'required' || values.pkce === 'accepted' ? values.pkce : 'ignored',
  issuer: values.issuer === 'own' || values.issuer === 'other' ? values.issuer : 'none',
})
const { skus, pairs, documentItems } = erp.control.counts()
const number = new Intl.NumberFormat('en')
console.log(`Sandbox ERP at ${erp.url}
${number.format(skus)} SKUs, ${number.format(pairs)} pairs, ${number.format(documentItems)} document lines

Connect it (with npm start running in another terminal):
  RESTOCK_CLIENT_SECRET=${CLIENT.secret} npx restock connect --source s4hana --account ${erp.url} --role Z_RESTOCK_READ --client-id ${CLIENT.id}
then press Allow on the page that opens, and
  npx restock sync --full
  npx restock proposals list

A day of business later:
  curl -X POST ${erp.url}/__control -d '{"advance":1}'
  npx restock sync`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void erp.close())
}

function readArguments() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    console.error(`${(error as Error).message}\nSee --help.`)
    process.exit(2)
  }
}
