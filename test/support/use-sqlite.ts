import path from 'node:path'
import { configure, temporaryFolder } from './configure.ts'
import { dayWith } from './day.ts'

await dayWith(8)

configure({ credentials: { url: path.join(temporaryFolder, 'restock.sqlite') } })

const { shareModel } = await import('./share-model.ts')
shareModel(process.env.TEST_MODELS!)
