// Writes the demo's files into a folder below RESTOCK_CSV_ROOT, where a source of the kind csv reads them; in production nothing else
// brings them: `node srv/doors/demo/write-demo.js <folder>`.
import '../../base/log/guard.ts'
import path from 'node:path'
import cds from '@sap/cds'
import { today } from '../../base/time/days.ts'
import { makeDemo } from './make-demo.ts'

const [, , folder] = process.argv
if (folder) {
  await makeDemo(path.join(cds.root, 'data', 'source'), path.resolve(folder), today())
} else {
  cds.log('demo').error('Name the folder that the files are written to.')
  process.exitCode = 2
}
