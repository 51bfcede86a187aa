-- An aggregate over values, in all its forms
--
-- Parameters: aggregate  its name
--             step       its transition function
--             moving     what it has for moving frames, if anything
--             how        what follows its comments

--@for-each-value-type
CREATE AGGREGATE @aggregate@(value @type@) (
    SFUNC = @step@, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, @combine:cms_combine@PARALLEL = SAFE@moving@
);
COMMENT ON AGGREGATE @aggregate@(@type@) IS 'a sketch of how often each value occurs, epsilon 0.001 and delta 0.01@how@';

CREATE AGGREGATE @aggregate@(value @type@, weight bigint) (
    SFUNC = @step@, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, @combine:cms_combine@PARALLEL = SAFE@moving@
);
COMMENT ON AGGREGATE @aggregate@(@type@, bigint) IS 'a sketch of the sum of each value''s weights, epsilon 0.001 and delta 0.01@how@';

CREATE AGGREGATE @aggregate@(value @type@, epsilon double precision, delta double precision) (
    SFUNC = @step@, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, @combine:cms_combine@PARALLEL = SAFE@moving@
);
COMMENT ON AGGREGATE @aggregate@(@type@, double precision, double precision) IS 'a sketch of how often each value occurs, of a given epsilon and delta@how@';

CREATE AGGREGATE @aggregate@(value @type@, weight bigint, epsilon double precision, delta double precision) (
    SFUNC = @step@, STYPE = cms, SSPACE = 4096, FINALFUNC = cms_final, @combine:cms_combine@PARALLEL = SAFE@moving@
);
COMMENT ON AGGREGATE @aggregate@(@type@, bigint, double precision, double precision) IS 'a sketch of the sum of each value''s weights, of a given epsilon and delta@how@';
--@end
