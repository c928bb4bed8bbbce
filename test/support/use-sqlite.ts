import path from 'node:path'
import { configure, temporaryFolder } from './configure.ts'

configure({ credentials: { url: path.join(temporaryFolder, 'restock.sqlite') } })
