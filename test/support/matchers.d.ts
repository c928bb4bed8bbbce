/// <reference types="jest" />
// Asymmetric matchers are `any` in Jest's types, which would switch off the checks of the whole expected value.
declare namespace jest {
  interface Expect {
    any(type: unknown): unknown
    anything(): unknown
    arrayContaining(items: readonly unknown[]): unknown
    objectContaining(members: object): unknown
    stringContaining(text: string): unknown
    stringMatching(text: string | RegExp): unknown
    closeTo(value: number, digits?: number): unknown
  }
  interface InverseAsymmetricMatchers {
    arrayContaining(items: readonly unknown[]): unknown
    objectContaining(members: object): unknown
    stringContaining(text: string): unknown
    stringMatching(text: string | RegExp): unknown
  }
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars -- as Jest declares it
  interface Matchers<R, T = {}> {
    toThrow(error?: unknown): R
  }
}
