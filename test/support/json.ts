/** The content of a JSON text, whose form is the caller's word. */
export const parseJson = <T>(text: string) => JSON.parse(text) as T
