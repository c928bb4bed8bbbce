// Annotations of AdminService for the app, one file for each area.
using from './annotations/sources';
using from './annotations/syncs';
using from './annotations/rules';
using from './annotations/calendar';
using from './annotations/systems';
using from './annotations/approvers';
using from './annotations/users';
using from './annotations/monitoring';
using from './annotations/quality';
using from './annotations/choices';
