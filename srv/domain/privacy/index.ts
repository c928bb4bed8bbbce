// Personal data of those who use the service: what is stored of somebody, and its erasure. For administrators.
export { erasePerson, exportPerson, removePerson } from './personal-data.ts'
