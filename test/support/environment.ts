// Jest's environment for Node, whose global object is a plain one: Jest's own asks a proxy in JavaScript for each mention
// of `Math` or `Map`, some 200 ns, which was most of the time of whatever calculates.
import vm from 'node:vm'
import { TestEnvironment } from 'jest-environment-node'

const { createContext } = vm

export default class Environment extends TestEnvironment {
  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)
    try {
      super(...args)
    } finally {
      vm.createContext = createContext
    }
  }
}
