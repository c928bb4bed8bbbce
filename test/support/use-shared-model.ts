// Imported into a service that a test starts as a process of its own: it reads the models that an earlier start compiled.
import { isMainThread } from 'node:worker_threads'

// Threads of the service inherit the import, and load no model.
if (isMainThread) {
  const { default: cds } = await import('@sap/cds')
  const { shareModel } = await import('./share-model.ts')
  // Only once CAP compiles: who asks for its compiler earlier reads CAP's settings before the service has set them.
  Object.defineProperty(cds, 'compile', {
    configurable: true,
    get() {
      Reflect.deleteProperty(cds, 'compile')
      shareModel(process.env.TEST_MODELS!)
      return cds.compile
    },
  })
}
