// `npm start`: the service, with settings that must stand before its process begins. docs/guides/operations.md says what for.
// In package.json `exec` lets npm's signals reach it, and stands last, where npm puts arguments; the shell of Windows does
// not know it, and runs what stands before.
import path from 'node:path'
import { become } from './become.ts'

const { NODE_OPTIONS: options = '' } = process.env

const { dirname, filename } = import.meta
/** What Node compiled, kept for the threads and the next start; where it may not be written, each compiles for itself. */
const compiled = path.join(dirname, '../../../node_modules/.cache/restock-compiled')

become(path.join(dirname, `serve${path.extname(filename)}`), process.argv.slice(2), {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiled,
  NODE_OPTIONS: `--max-semi-space-size=16 ${options}`.trim(),
  ...(filename.endsWith('.ts') && { CDS_TYPESCRIPT: 'true' }),
})
