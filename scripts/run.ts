// node scripts/run.ts <program> [arguments]: a program of the packages, as the TypeScript of this checkout needs it.
import path from 'node:path'
import { become } from '../srv/base/start/become.ts'

const PROGRAMS: Record<string, { file: string; options: string }> = {
  cds: { file: '@sap/cds-dk/bin/cds.js', options: '' },
  jest: {
    file: 'jest/bin/jest.js',
    // Each test file loads all modules anew: with room for their garbage, tests take some 7 % less time.
    options:
      '--experimental-vm-modules --disable-warning=ExperimentalWarning --max-semi-space-size=64',
  },
}

const [name = '', ...args] = process.argv.slice(2)
const program = PROGRAMS[name]
if (!program) throw new Error(`${name} is none of ${Object.keys(PROGRAMS).join(', ')}`)
const { NODE_OPTIONS: given = '' } = process.env
const root = path.resolve(import.meta.dirname, '../node_modules')
become(path.join(root, program.file), args, {
  CDS_TYPESCRIPT: 'true',
  ...((program.options || given) && { NODE_OPTIONS: `${program.options} ${given}`.trim() }),
})
