// Arrays that workers see without a copy.
export const sharedInts = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length))
export const sharedFloats = (length: number) => new Float64Array(new SharedArrayBuffer(8 * length))
