using from './access/access-service';
using from './audit/audit-service';
using from './forecasting/forecasting-service';
using from './proposals/proposals-service';
using from './schedules/schedules-service';
using from './sources/sources-service';
using from './sync/sync-service';
using from './v1/v1';
