/** Without the leading zeros with which SAP stores codes of digits: 23 for 000000000000000023. */
export const plainCode = (code: string) =>
  /^\d+$/.test(code) ? code.replace(/^0+(?=\d)/, '') : code

/** `23 (Green tea)`; the code alone where it has no name. */
export const codeAndName = (code: string, name: string | null | undefined) =>
  name ? `${plainCode(code)} (${name})` : plainCode(code)
