import { ADAPTER_TYPES, adapterOf } from '../../adapters/index.ts'

describe('the registry of adapters', () => {
  it('gives each type its adapter', () => {
    for (const type of ADAPTER_TYPES) expect(adapterOf(type)?.type).toBe(type)
    expect(ADAPTER_TYPES).toContain('csv')
  })

  it('knows no other types', () => {
    for (const type of ['', 'CSV', 'constructor', '__proto__', 'oracle']) {
      expect(adapterOf(type)).toBeUndefined()
    }
  })
})
