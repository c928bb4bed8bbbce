// Imported first, for its effect: whatever the imports after it write is guarded.
import { guardOutput } from './output.ts'

guardOutput()
