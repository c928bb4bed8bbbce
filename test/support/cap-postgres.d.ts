/** CAP's service for PostgreSQL, which has no types; what a test takes from it is not public. */
declare module '@cap-js/postgres' {
  const PostgresService: {
    prototype: { _prepareStreams(query: object, values: unknown[]): Promise<object> }
  }
  export default PostgresService
}
