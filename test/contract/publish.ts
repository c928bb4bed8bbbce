// node test/contract/publish.ts: makes what /v1 offers now the contract that later changes must keep.
import { existsSync, writeFileSync } from 'node:fs'
import prettier from 'prettier'
import { breaksOf, contractOf } from './contract.ts'
import { FILE, present, published } from './published.ts'

const contract = contractOf(present())
const breaks = existsSync(FILE) ? breaksOf(published(), contract) : []
if (breaks.length) {
  process.stderr.write(`Not published; this belongs to /v2:\n${breaks.join('\n')}\n`)
  process.exitCode = 1
} else {
  const options = { ...(await prettier.resolveConfig(FILE)), parser: 'json' }
  writeFileSync(FILE, await prettier.format(JSON.stringify(contract), options))
}
