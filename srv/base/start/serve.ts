// The process of `npm start`: CAP's `cds-serve`, none of whose lines is written past the masking of secrets.
import '../log/guard.ts'
import './first-process.ts'
import { createRequire } from 'node:module'

const serve = createRequire(import.meta.url)('@sap/cds/bin/serve.js') as {
  exec(...args: string[]): unknown
}
serve.exec(...process.argv.slice(2))
