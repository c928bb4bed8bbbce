// Jest's environment for Node, whose global object is a plain one: Jest's own asks a proxy in JavaScript for each mention
// of `Math` or `Map`, some 200 ns, which was most of the time of whatever calculates.
import vm from 'node:vm'
import { TestEnvironment } from 'jest-environment-node'

const { createContext } = vm

type Listener = (...args: unknown[]) => void
const heardBy = (stream: NodeJS.WriteStream) => stream.listeners('error') as Listener[]

export default class Environment extends TestEnvironment {
  /** What already listens to the streams of this process, which all of its test files share. */
  private readonly earlier = new Set([process.stdout, process.stderr].flatMap(heardBy))

  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)
    try {
      super(...args)
    } finally {
      vm.createContext = createContext
    }
  }

  /** The service listens for as long as its process lives, so those of eleven files would be warned of as a leak. */
  override async teardown() {
    for (const stream of [process.stdout, process.stderr]) {
      for (const each of heardBy(stream)) if (!this.earlier.has(each)) stream.off('error', each)
    }
    await super.teardown()
  }
}
