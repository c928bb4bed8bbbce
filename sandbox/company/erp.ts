/** A sandbox that shows a company. */
export interface CompanyErp {
  /** How it is connected. */
  greeting: string
  close(): Promise<void>
}
